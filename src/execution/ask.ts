import type { Agent, Expectation } from "../connection/ports/agent.ts";
import { consequenceOf } from "../judgment/failures.ts";
import { reachedBudget } from "../judgment/moves.ts";
import { isForUser, takesTurns } from "../judgment/workers.ts";
import type { AgentFailure, AgentReply, Assignment } from "../model/agent.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { message } from "../model/message.ts";
import { notice } from "../model/notices.ts";
import { addUsage, NOTHING_SPENT, type Usage } from "../model/usage.ts";
import { Halt, haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { giveRolesAway, isDispensable, missingIn, standIn } from "./stand-in.ts";
import { outOfTimeMessage, timeLeft } from "./time-left.ts";
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
    await context.ports.clock.going(context.signal);
    haltIfAborted(context.signal);
    if (!isWork(assignment)) haltIfOutOfTime(context);
    const missing = isDispensable(assignment) ? missingIn(context, assignment) : undefined;
    if (missing !== undefined) return leftOut(missing);
    const asked = isWork(assignment) ? assignment : { ...assignment, ...standIn(context, assignment) };
    const reply = yield* askOnce(context, agent, affordable(context, asked));
    haltIfAborted(context.signal);
    const { failure } = reply;
    if (!failure) return reply;
    if (!isWork(assignment)) haltIfOutOfTime(context);
    if (!(yield* passes(context, failure, { assignment: asked, outage }))) return reply;
  }
}

/** Waits until a failure has passed, or has another worker answer. `false`: it is the answer. Throws what only the user can mend. */
async function* passes(
  context: RunContext,
  failure: AgentFailure,
  { assignment, outage }: { assignment: Assignment; outage: ApiOutage },
): AsyncGenerator<RunEvent, boolean> {
  const { configuration, ports } = context;
  const patience = assignment.patience ?? (isWork(assignment) ? undefined : configuration.fallback_after * 60);
  const isGivenUp = patience !== undefined && givesUp(failure, outage, patience);
  if (isGivenUp && isWork(assignment)) return false;
  if (isGivenUp && (yield* giveRolesAway(context, failure, assignment))) return true;
  const consequence = consequenceOf[failure.code];
  if (isGivenUp && consequence === "wait" && isDispensable(assignment) && takesTurns(configuration)) return false;
  if (consequence === "fatal") throw fatal(failure);
  if (consequence !== "wait" || (isWork(assignment) && hasSpentAll(context))) return false;
  const who = takesTurns(configuration) ? ports.agents.answererOf(assignment) : undefined;
  yield* outage.wait(failure, who);
  return true;
}

function leftOut(worker: string): AgentReply {
  const failure: AgentFailure = { code: "usage_limit", message: message("worker_away", { worker }) };
  return { text: "", failure, usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
}

/** Another worker can take over: this one is not waited for any longer. */
function givesUp(failure: AgentFailure, outage: ApiOutage, patience: number): boolean {
  return isForUser(failure.code) || (consequenceOf[failure.code] === "wait" && outage.outlasts(failure, patience));
}

function isWork({ role }: Expectation): boolean {
  return role === "executor";
}

/** Work that is not judged now is judged when the run is resumed with more time. */
function haltIfOutOfTime(context: RunContext): void {
  const { seconds, stop_reason } = timeLeft(context);
  if (seconds <= 0) throw new Halt({ stop_reason });
}

/** Failed attempts cost money, too: retries must not drain a budget. */
export function hasSpentAll(context: RunContext): boolean {
  const { configuration, meter } = context;
  return reachedBudget(meter.total(), configuration.budget) !== undefined || timeLeft(context).seconds <= 0;
}

/** Agents refuse a limit of 0, and quote others, so they get no more decimals than people do. */
const USD_DECIMALS = 4;
const LEAST_USD = 10 ** -USD_DECIMALS;

/** Limits an attempt to the rest of the budget. */
export function affordable<T extends Expectation>({ configuration, meter }: RunContext, assignment: T): T {
  const { cost_usd } = configuration.budget;
  if (cost_usd === null || !isWork(assignment)) return assignment;
  const left = Number((cost_usd - meter.total().cost_usd).toFixed(USD_DECIMALS));
  return { ...assignment, max_cost_usd: Math.max(LEAST_USD, left) };
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
    return deadline.passed() ? outOfTime(context, whole) : whole;
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
  const cost_usd = Math.max(0, whole.cost_usd - announced.cost_usd);
  const unknown = whole.unknown?.filter((amount) => !announced.unknown?.includes(amount));
  return { tokens, cost_usd, seconds: 0, ...(unknown?.length && { unknown }) };
}

/** Aborts with the user's signal or when the time is up. */
function deadlineOf(context: RunContext) {
  const { ports, signal } = context;
  const expiry = new AbortController();
  let clear = () => {};
  const wait = () => {
    const milliseconds = Math.max(0, timeLeft(context).seconds) * 1000;
    const isLast = milliseconds <= LOOK_AGAIN_MILLISECONDS;
    clear = ports.clock.timer(isLast ? milliseconds : LOOK_AGAIN_MILLISECONDS, isLast ? () => expiry.abort() : wait);
  };
  if (timeLeft(context).seconds < Number.POSITIVE_INFINITY) wait();
  return {
    signal: AbortSignal.any([signal, expiry.signal]),
    passed: () => expiry.signal.aborted && !signal.aborted,
    clear: () => clear(),
  };
}

/** Timers stand still while a machine sleeps, but a time of day does not. */
const LOOK_AGAIN_MILLISECONDS = 30_000;

function outOfTime(context: RunContext, reply: AgentReply): AgentReply {
  return { ...reply, failure: { code: "timeout", message: outOfTimeMessage(timeLeft(context).stop_reason) } };
}

function fatal({ code, message, variable, login, proxy }: AgentFailure): E8Error {
  if (proxy) return new E8Error("proxy_refused", proxy);
  if (code === "authentication")
    return new E8Error("authentication", { message, ...(variable && { variable }), ...(login && { login }) });
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
