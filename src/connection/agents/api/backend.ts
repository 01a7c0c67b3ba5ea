import { apiModelOf } from "../../../model/api-model.ts";
import { E8Error } from "../../../model/errors.ts";
import type { Backend } from "../backend.ts";
import { missingKey, proxyOf } from "./access.ts";

export const apiBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_cost: false, // known only where `prices` has the model
    withholds_tools: true, // it has none
    fresh_context: true,
    roles: ["intake", "summarizer", "judge"],
  },
  async create({ configuration, ...setup }) {
    const { createApiAgent } = await import("./api-agent.ts");
    const { models, prices, budget, claude_options } = configuration;
    return createApiAgent({
      ...setup,
      models,
      prices,
      has_cost_budget: budget.cost_usd !== null,
      timeout_seconds: claude_options.timeout,
    });
  },
  async verify({ configuration, environment, roles }) {
    for (const role of roles) {
      const model = configuration.models[role];
      const api = apiModelOf(model);
      const variable = api && missingKey(api, environment);
      if (variable) throw new E8Error("api_key_missing", { model, roles: role, variable });
      const proxy = api && proxyOf(api, environment);
      if (proxy && "value" in proxy)
        throw new E8Error("environment_invalid", { variable: proxy.variable, problem: UNUSABLE_PROXY });
    }
  },
  async examine({ configuration, environment }) {
    const { checkKeys } = await import("../../doctor/keys.ts");
    return checkKeys(configuration, environment);
  },
};

/** Its value may hold a password: it is not repeated. */
const UNUSABLE_PROXY = {
  en: "models over an API need a proxy that is spelled http://host:port or https://host:port.",
  ja: "API のモデルで使えるプロキシは http://host:port か https://host:port の形式だけです。",
};
