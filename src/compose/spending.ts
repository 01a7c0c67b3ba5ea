import { capabilitiesOf, configurationOf, configurationsOf } from "../connection/agents/registry.ts";
import { spelledAgent } from "../model/agent-choice.ts";
import type { AgentChoice, Configuration } from "../model/configuration.ts";
import { type Notice, notice } from "../model/notices.ts";

/**
 * Names the budgets that cannot be held, because one of those that may work does not say what it spends: the run's agent, one that takes
 * its turn, or the agent of a step.
 */
export function spendingNotices(configuration: Configuration, steps: readonly AgentChoice[] = []): Notice[] {
  const ofSteps = steps.map((agent) => configurationOf({ agent, model: null }, configuration));
  const all = [...configurationsOf(configuration), ...ofSteps].flatMap(noticesOf);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function noticesOf({ agent, budget, prices, models }: Configuration): Notice[] {
  const { reports_tokens, reports_cost } = capabilitiesOf(agent);
  const name = shortened(spelledAgent(agent));
  const isPriced = reports_tokens && Object.hasOwn(prices, models.executor);
  const notices: Notice[] = [];
  if (budget.cost_usd !== null && !reports_cost && !isPriced)
    notices.push(
      reports_tokens
        ? notice("agent_price_unknown", { agent: name, model: models.executor })
        : notice("agent_cost_unknown", { agent: name }),
    );
  if (budget.tokens !== null && !reports_tokens) notices.push(notice("agent_tokens_unknown", { agent: name }));
  return notices;
}

const LONGEST_NAME = 60;

/** A program may be a whole script. */
export function shortened(name: string): string {
  const [line = ""] = name.split("\n", 1);
  return line === name && name.length <= LONGEST_NAME ? name : `${line.slice(0, LONGEST_NAME)}…`;
}
