import { apiModelOf } from "../../../model/api-model.ts";
import { modelOfEach, modelsFor } from "../../../model/configuration.ts";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import { wrongProxy } from "../../fetch.ts";
import type { Backend } from "../backend.ts";
import { accessOf, missingVariable } from "./access.ts";
import { missingPackage } from "./packages.ts";

export const apiBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_tokens: true,
    reports_cost: false, // known only where `prices` has the model
    tells_limits: true,
    chooses_model: false,
    withholds_tools: true, // it has none
    takes_servers: false,
    takes_skills: false,
    shows_calls: true,
    takes_permissions: true,
    limits_turns: true,
    takes_claude_setup: false,
    fresh_context: true,
    roles: ["intake", "summarizer", "judge", "reviewer"],
  },
  async create({ configuration, ...setup }) {
    const { createApiAgent } = await import("./api-agent.ts");
    const { prices, budget } = configuration;
    return createApiAgent({
      ...setup,
      models: modelOfEach(configuration),
      prices,
      has_cost_budget: budget.cost_usd !== null,
    });
  },
  async verify({ configuration, environment, roles }) {
    const asked = roles.flatMap((role) => modelsFor(role, configuration).map((model) => ({ role, model })));
    for (const { role, model } of asked) {
      const api = apiModelOf(model);
      const name = api && missingPackage(api.provider);
      if (name) throw new E8Error("package_missing", { model, package: name });
      const variable = api && missingVariable(api, environment);
      if (variable) throw new E8Error("api_key_missing", { model, roles: role, variable });
      const proxy = api && wrongProxy(accessOf(api, environment).base_url, environment);
      // Its value may hold a password: it is not repeated.
      if (proxy) throw new E8Error("environment_invalid", { variable: proxy, problem: message("proxy_unusable", {}) });
    }
  },
  async examine({ configuration, environment }) {
    const { checkKeys } = await import("../../doctor/agents.ts");
    return checkKeys(configuration, environment);
  },
};
