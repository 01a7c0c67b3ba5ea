import type { AgentFailure, AgentReply, Assignment } from "../../../model/agent.ts";
import { type ApiModel, apiModelOf } from "../../../model/api-model.ts";
import type { Price } from "../../../model/configuration.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message as told } from "../../../model/message.ts";
import { notice } from "../../../model/notices.ts";
import type { Role } from "../../../model/roles.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Agent } from "../../ports/agent.ts";
import { watchLimits } from "../../processes/limits.ts";
import type { AgentSetup } from "../backend.ts";
import { cutFailure } from "../failures.ts";
import { accessOf, keyVariable } from "./access.ts";
import { type Asking, askModel, type ModelAnswer, NOTHING_ASKED } from "./ask-model.ts";
import { RawMessages, withoutSecrets } from "./raw-messages.ts";
import { costOf, spentTokens } from "./tokens.ts";

export interface ApiAgentOptions extends Omit<AgentSetup, "configuration" | "project" | "task_token"> {
  models: Readonly<Record<Role, string>>;
  /** By the spelling of the model. */
  prices: Readonly<Record<string, Price>>;
  /** Whether the run has a cost limit: the user then needs to know when the cost is unknown. */
  has_cost_budget: boolean;
}

/** Models asked over their vendors' APIs: a request for every answer, no process, no tools. */
export function createApiAgent(options: ApiAgentOptions): Agent {
  const told = new Set<string>();
  const plain = new Set<string>();
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const spelling = assignment.model ?? options.models[assignment.role];
      const model = apiModelOf(spelling);
      if (!model) throw new Error(`${spelling} is no model over an API`);
      yield* costNotice(spelling, options, told);
      const log = new RawMessages(options, assignment, secretsOf(model, options));
      const { environment } = options;
      const asking: Asking = { spelling, model, access: accessOf(model, environment), environment, log, plain };
      const answer = await withinLimits(asking, assignment, { signal, options });
      const seconds = (performance.now() - started) / 1000;
      const price = options.prices[spelling];
      const cost_usd = costOf(answer.tokens, price);
      await log.ended({ ...answer, cost_usd, seconds });
      if (isProse(answer)) yield { type: "text", role: assignment.role, text: answer.text };
      const usage = { tokens: spentTokens(answer.tokens), cost_usd, seconds, ...unknownIn(answer, price) };
      yield { type: "usage", role: assignment.role, usage };
      return replyOf(answer, usage);
    },
  };
}

/** Some servers answer without a word about tokens. A request that has failed without them has cost nothing. */
function unknownIn({ tokens, failure }: ModelAnswer, price: Price | undefined): Pick<Usage, "unknown"> {
  const isCounted = Object.values(tokens).some((count) => count > 0);
  if (!isCounted) return failure ? {} : { unknown: ["tokens", "cost"] };
  return price ? {} : { unknown: ["cost"] };
}

function* costNotice(
  spelling: string,
  { has_cost_budget, prices }: ApiAgentOptions,
  told: Set<string>,
): Generator<AgentEvent> {
  if (!has_cost_budget || prices[spelling] || told.has(spelling)) return;
  told.add(spelling);
  yield { type: "notice", notice: notice("cost_unknown", { model: spelling }) };
}

/** Asks, and stops at the limits. */
async function withinLimits(
  asking: Asking,
  assignment: Assignment,
  { signal, options }: { signal: AbortSignal; options: ApiAgentOptions },
): Promise<ModelAnswer> {
  const controller = new AbortController();
  const limits = watchLimits({ ...options, signal }, () => controller.abort());
  try {
    const isOver = controller.signal.aborted;
    const answer = isOver
      ? NOTHING_ASKED
      : await askModel(asking, assignment, { signal: controller.signal, heard: () => limits.alive() });
    return { ...answer, failure: limits.reason ? cutFailure(limits.reason, options) : named(answer, asking, options) };
  } finally {
    limits.stop();
  }
}

/** Adds the model and the key's variable to a failure, and removes a key that the server may have quoted. */
function named(
  { failure }: ModelAnswer,
  { spelling, model }: Asking,
  options: ApiAgentOptions,
): AgentFailure | undefined {
  if (!failure) return undefined;
  const secrets = secretsOf(model, options);
  const said = failure.message;
  const message =
    typeof said === "string"
      ? withoutSecrets(`${spelling}: ${said}`, secrets)
      : told("model_failed", { model: withoutSecrets(spelling, secrets), problem: said });
  return {
    ...failure,
    message,
    ...(failure.code === "authentication" && {
      variable: accessOf(model, options.environment).source ?? keyVariable(model.provider),
    }),
  };
}

/** Shorter values are not real keys, and may be words of the prompt. */
const SHORTEST_KEY = 8;

/** Of `https://user:password@host`, as it is written. */
const PASSWORD = /^\w+:\/\/[^/@:]*:([^/@]+)@/;

function secretsOf(model: ApiModel, { environment }: ApiAgentOptions): string[] {
  const { key, token, signing, base_url } = accessOf(model, environment);
  const passwords = [base_url, model.base_url].map((address = "") => PASSWORD.exec(address)?.[1]);
  return [key, token, signing?.secretAccessKey, signing?.sessionToken, ...passwords]
    .filter((secret) => secret !== undefined)
    .filter(({ length }) => length >= SHORTEST_KEY);
}

/** An answer that is all JSON is not shown as text. */
function isProse({ text }: ModelAnswer): boolean {
  return text.trim() !== "" && !/^\s*\{[\s\S]*\}\s*$/.test(text);
}

function replyOf({ text, structured, failure }: ModelAnswer, usage: AgentReply["usage"]): AgentReply {
  return {
    text,
    ...(structured !== undefined && { structured }),
    ...(failure && { failure }),
    usage,
    tools_used: [],
    files_modified: [],
  };
}
