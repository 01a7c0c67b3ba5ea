import type { Agent, Expectation } from "../connection/ports/agent.ts";
import { consequenceOf } from "../judgment/failures.ts";
import { reachedBudget } from "../judgment/moves.ts";
import type { AgentFailure, AgentReply, Assignment } from "../model/agent.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { LONGEST_TIMER_MILLISECONDS } from "../model/limits.ts";
import { message } from "../model/message.ts";
import { notice } from "../model/notices.ts";
import { addUsage, NOTHING_SPENT, type Usage } from "../model/usage.ts";
import { Halt, haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { ApiOutage } from "./wait.ts";

/**
 * Has an agent answer one assignment. Waits for temporary failures to pass, as long as the budgets allow; throws failures that
 * only the user can fix; returns all others in the reply. Budgets of cost and tokens stop only the executor. The other roles look
 * at work that is already paid for, so only the time budget stops them.
 */
export async function* ask(
  context: RunContext,
  agent: Agent,
  assignment: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const outage = new ApiOutage(context, assignment.iteration);
  for (;;) {
    haltIfAborted(context.signal);
    if (!isWork(assignment)) haltIfOutOfTime(context);
    const reply = yield* askOnce(context, agent, affordable(context, assignment));
    haltIfAborted(context.signal);
    const { failure } = reply;
    if (!failure) return reply;
    if (!isWork(assignment)) haltIfOutOfTime(context);
    const consequence = consequenceOf[failure.code];
    if (consequence === "fatal") throw fatal(failure);
    if (consequence !== "wait" || (isWork(assignment) && hasSpentAll(context))) return reply;
    yield* outage.wait(failure);
  }
}

function isWork({ role }: Expectation): boolean {
  return role === "executor";
}

/** Work that is not judged now is judged when the run is resumed with more time. */
function haltIfOutOfTime({ configuration, meter }: RunContext): void {
  if (reachedBudget(meter.total(), { ...configuration.budget, cost_usd: null, tokens: null }))
    throw new Halt({ stop_reason: "budget_time" });
}

/** Failed attempts cost money, too: retries must not drain a budget. */
export function hasSpentAll({ configuration, meter }: RunContext): boolean {
  return reachedBudget(meter.total(), configuration.budget) !== undefined;
}

/** Claude Code refuses a limit of 0. */
const LEAST_USD = 0.000001;

/** Limits an attempt to the rest of the budget. */
export function affordable<T extends Expectation>({ configuration, meter }: RunContext, assignment: T): T {
  const { cost_usd } = configuration.budget;
  if (cost_usd === null || !isWork(assignment)) return assignment;
  return { ...assignment, max_cost_usd: Math.max(LEAST_USD, cost_usd - meter.total().cost_usd) };
}

async function* askOnce(
  context: RunContext,
  agent: Agent,
  assignment: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const deadline = deadlineOf(context);
  const denied: string[] = [];
  let said = "";
  let announced = NOTHING_SPENT;
  try {
    const work = agent.work(assignment, deadline.signal);
    const reply = yield* through(work, async function* (event): AsyncGenerator<RunEvent> {
      if (event.type === "tool-denied") denied.push(`${event.tool}: ${context.tell(event.reason)}`);
      if (event.type === "text") said = withText(said, event.text);
      if (event.type === "usage") announced = addUsage(announced, event.usage);
      yield event.type === "usage" ? await charged(context, assignment, event.usage) : event;
    });
    yield await charged(context, assignment, rest(reply.usage, announced));
    const whole = { ...reply, said, ...(denied.length > 0 && { tools_denied: denied }) };
    return deadline.passed() ? outOfTime(whole) : whole;
  } finally {
    deadline.clear();
  }
}

/** Characters of an agent's texts. */
const MOST_SAID = 200_000;

/** Cuts seldom: a program may print a million lines. */
function withText(said: string, text: string): string {
  const all = `${said}${text}\n`;
  return all.length > 2 * MOST_SAID ? all.slice(-MOST_SAID) : all;
}

async function charged({ meter }: RunContext, { role, iteration }: Assignment, usage: Usage): Promise<RunEvent> {
  return { type: "spent", total: await meter.charge(role, iteration, usage) };
}

/** The usage that an answer did not announce before its end. */
function rest(whole: Usage, announced: Usage): Usage {
  const tokens = Math.max(0, whole.tokens - announced.tokens);
  return { tokens, cost_usd: Math.max(0, whole.cost_usd - announced.cost_usd), seconds: 0 };
}

/** Aborts with the user's signal or at the end of the time budget. */
function deadlineOf({ configuration, meter, signal }: RunContext) {
  const { minutes } = configuration.budget;
  if (minutes === null) return { signal, passed: () => false, clear: () => {} };
  const expiry = new AbortController();
  const milliseconds = Math.max(0, minutes * 60 - meter.total().seconds) * 1000;
  const timer = setTimeout(() => expiry.abort(), Math.min(milliseconds, LONGEST_TIMER_MILLISECONDS));
  return {
    signal: AbortSignal.any([signal, expiry.signal]),
    passed: () => expiry.signal.aborted && !signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

function outOfTime(reply: AgentReply): AgentReply {
  return { ...reply, failure: { code: "timeout", message: message("time_budget_used", {}) } };
}

function fatal({ code, message, variable, proxy }: AgentFailure): E8Error {
  if (proxy) return new E8Error("proxy_refused", proxy);
  if (code === "authentication") return new E8Error("authentication", { message, ...(variable && { variable }) });
  if (code === "billing") return new E8Error("billing", { message });
  return new E8Error("agent_configuration", { message });
}

/** Has the executor work, and once more when its answer was malformed. */
export async function* askWorker(context: RunContext, assignment: Assignment): AsyncGenerator<RunEvent, AgentReply> {
  const { executor } = context.ports.agents;
  const reply = yield* ask(context, executor, assignment);
  if (!reply.failure || consequenceOf[reply.failure.code] !== "again") return reply;
  yield { type: "notice", notice: notice("asked_again", { role: "executor", problem: reply.failure.message }) };
  return yield* ask(context, executor, assignment);
}
