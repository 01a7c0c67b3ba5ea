import { apiModelOf } from "../../model/api-model.ts";
import type { Configuration } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import { type Finding, finding } from "../../model/findings.ts";
import { accessOf, KEY_VARIABLES, missingKey } from "../agents/api/access.ts";

/** Whether the models that are asked over an API have their keys. No request is made; keys are never shown. */
export function checkKeys({ models }: Configuration, environment: Environment): Finding[] {
  return [...new Set(Object.values(models))].flatMap((model) => {
    const api = apiModelOf(model);
    if (!api) return [];
    const variable = missingKey(api, environment);
    if (variable) return [finding(["keys", "problem"], "api_key_missing", { model, variable })];
    const { key, token } = accessOf(api, environment);
    const source = token ? "ANTHROPIC_AUTH_TOKEN" : key ? KEY_VARIABLES[api.provider] : "";
    return [finding(["keys", "ok"], "api_key_ok", { model, source })];
  });
}
