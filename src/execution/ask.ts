import type { Agent } from "../connection/ports.ts";
import { backoffSeconds, consequenceOf, PATIENCE_HOURS } from "../judgment/failures.ts";
import type { AgentFailure, AgentReply, Assignment } from "../model/agent.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { Halt, haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Has an agent answer one assignment. Troubles that pass are waited for, as long as it takes and the time budget allows;
 * troubles that only the user can mend are thrown; every other failure comes back in the reply.
 */
export async function* ask(
  context: RunContext,
  agent: Agent,
  assignment: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const began = context.ports.clock.elapsed();
  for (let attempt = 1; ; attempt++) {
    const reply = yield* askOnce(context, agent, assignment);
    haltIfAborted(context.signal);
    const { failure } = reply;
    if (!failure) return reply;
    const consequence = consequenceOf[failure.code];
    if (consequence === "fatal") throw fatal(failure);
    if (consequence !== "wait") return reply;
    yield* waitFor(context, failure, { attempt, began });
    await context.meter.charge("waiting", assignment.iteration, { tokens: 0, cost_usd: 0 });
  }
}

async function* askOnce(
  context: RunContext,
  agent: Agent,
  assignment: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const deadline = deadlineOf(context);
  const work = agent.work(assignment, deadline.signal);
  try {
    for (;;) {
      const step = await work.next();
      if (step.done) return deadline.passed() ? outOfTime(step.value) : step.value;
      yield step.value.type === "usage" ? await charged(context, assignment, step.value.usage) : step.value;
    }
  } finally {
    deadline.clear();
    await work.return(undefined as never); // ends the agent when whoever reads this stream has gone away
  }
}

async function charged(
  { meter }: RunContext,
  { role, iteration }: Assignment,
  usage: AgentReply["usage"],
): Promise<RunEvent> {
  return { type: "spent", total: await meter.charge(role, iteration, usage) };
}

/** The user's signal, and the moment at which the time budget is used up. */
function deadlineOf({ configuration, meter, signal }: RunContext) {
  const { minutes } = configuration.budget;
  const expiry = new AbortController();
  const milliseconds = minutes === null ? 0 : Math.max(0, minutes * 60 - meter.total().seconds) * 1000;
  const timer = minutes === null ? undefined : setTimeout(() => expiry.abort(), Math.min(milliseconds, 2 ** 31 - 1));
  return {
    signal: AbortSignal.any([signal, expiry.signal]),
    passed: () => expiry.signal.aborted && !signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

function outOfTime(reply: AgentReply): AgentReply {
  return { ...reply, failure: { code: "timeout", message: "the run's time budget was used up" } };
}

async function* waitFor(
  context: RunContext,
  failure: AgentFailure,
  { attempt, began }: { attempt: number; began: number },
): AsyncGenerator<RunEvent, void> {
  const { clock } = context.ports;
  const told = failure.retry_at !== undefined;
  if (!told && clock.elapsed() - began > PATIENCE_HOURS * 3600)
    throw new E8Error("unreachable", { message: failure.message, hours: PATIENCE_HOURS });
  const until = failure.retry_at ?? clock.now().getTime() + backoffSeconds(attempt) * 1000;
  yield { type: "waiting", reason: failure.message, code: failure.code, until, attempt };
  await sleepUntil(context, until);
}

async function sleepUntil({ ports: { clock }, configuration, meter, signal }: RunContext, until: number) {
  const { minutes } = configuration.budget;
  const left = minutes === null ? Number.POSITIVE_INFINITY : minutes * 60 - meter.total().seconds;
  const seconds = Math.max(0.1, (until - clock.now().getTime()) / 1000);
  await clock.sleep(Math.min(seconds, Math.max(0, left)) * 1000, signal);
  haltIfAborted(signal);
  if (seconds >= left) throw new Halt({ stop_reason: "budget_time" });
}

function fatal({ code, message }: AgentFailure): E8Error {
  if (code === "authentication") return new E8Error("authentication", { message });
  if (code === "billing") return new E8Error("billing", { message });
  return new E8Error("agent_configuration", { message });
}
