import { missingKey, proxyOf } from "../connection/agents/api/access.ts";
import { observationsNeeded } from "../judgment/flow/completion.ts";
import { apiModelOf } from "../model/api-model.ts";
import { type Configuration, NO_MODEL } from "../model/configuration.ts";
import { isCheck } from "../model/criterion.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import type { Role } from "../model/roles.ts";

/** Throws when a run would come to ask a model over an API that cannot be reached without its key, or through such a proxy: before anything is spent. */
export function requireKeys(
  configuration: Configuration,
  environment: Environment,
  definition?: FlowDefinition | undefined,
): void {
  for (const role of rolesAsked(configuration, definition)) {
    const model = configuration.models[role];
    const api = apiModelOf(model);
    const variable = api && missingKey(api, environment);
    if (variable) throw new E8Error("api_key_missing", { model, roles: role, variable });
    const proxy = api && proxyOf(api, environment);
    if (proxy && "value" in proxy)
      throw new E8Error("environment_invalid", { variable: proxy.variable, problem: NO_PROXY_OF_OURS });
  }
}

/** Its value may hold a password: it is not repeated. */
const NO_PROXY_OF_OURS = {
  en: "models over an API need a proxy that is spelled http://host:port or https://host:port.",
  ja: "API のモデルで使えるプロキシは http://host:port か https://host:port の形式だけです。",
};

/** The roles around the executor that a run asks. */
export function rolesAsked(
  { intake, criteria, models }: Configuration,
  definition?: FlowDefinition | undefined,
): Exclude<Role, "executor">[] {
  if (definition) return asksJudge(definition) ? ["judge"] : [];
  const isJudged = !criteria.every(isCheck); // the intake, too, looks at sentences only
  return [
    ...(intake && isJudged ? (["intake"] as const) : []),
    ...(models.summarizer === NO_MODEL ? [] : (["summarizer"] as const)),
    ...(isJudged ? (["judge"] as const) : []),
  ];
}

function asksJudge({ agent, registry }: FlowDefinition): boolean {
  const isSemantic = Object.values(registry.validators).some(({ type }) => type === "semantic");
  return isSemantic || observationsNeeded(agent.runner.completion).criteria.length > 0;
}
