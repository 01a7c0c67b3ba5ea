import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import { message } from "../../../model/message.ts";
import { Role } from "../../../model/roles.ts";
import type { Expectation } from "../../ports/agent.ts";
import { type Session, startSession } from "./session.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { readStartupFiles, type StartupFiles } from "./startup-files.ts";

/** How many answers one process gives: its memory grows with each, most with an executor's. A reviewer shares its process with none. */
const ANSWERS: Readonly<Record<Role, number>> = { intake: 50, executor: 10, summarizer: 50, judge: 50, reviewer: 1 };
/** A waiting process keeps the cost limit that it was started with; a limit up to a tenth too high is accepted. */
const COST_TOLERANCE = 1.1;

/** A process of Claude Code that can be asked now. */
export interface Ready {
  session: Session;
  /** The keys (`keyOf`) of all assignments that it can answer. */
  keys: readonly string[];
  /** Whether it was started for this answer. Otherwise it needs a fresh context, and may have died. */
  isNew: boolean;
  /** As they were when it was started. */
  startup: StartupFiles;
  max_cost_usd: number | undefined;
}

/** A pool of Claude Code processes: starts them before they are needed, keeps them between answers, and ends them all. */
export class WarmSessions {
  readonly #options: ClaudeAgentOptions;
  readonly #closing = new AbortController();
  readonly #endings = new Set<Promise<void>>();
  /** The next assignments for processes that are at work now, by key: such a process is kept instead of ended. */
  readonly #expected = new Map<string, Expectation>();
  readonly #working = new Set<string>();
  /** The roles that were announced. Roles that differ only in their prompts and schemas share one process. */
  readonly #announced = new Map<Role, Expectation>();
  #waiting: { keys: readonly string[]; ready: Promise<Ready | undefined> }[] = [];
  /** The start of the process that was asked for last. Processes that are only expected start after it. */
  #urgent: Promise<unknown> = Promise.resolve();

  constructor(options: ClaudeAgentOptions) {
    this.#options = options;
  }

  /** Keeps the process at work for this assignment, or starts one ahead. */
  prepare(expected: Expectation): void {
    if (expected.role !== "executor") this.#announced.set(expected.role, expected);
    // Later, so that an assignment given in this turn takes its process first.
    setImmediate(() => {
      const key = keyOf(expected);
      if (this.#working.has(key)) this.#expected.set(key, expected);
      else this.#startAhead(expected);
    });
  }

  /** A waiting process that still fits, or a new one. It fails when no process can be started. */
  async take(assignment: Assignment, signal: AbortSignal): Promise<Ready | AgentFailure> {
    const keys = this.#together(assignment).map(keyOf);
    for (const key of keys) this.#working.add(key);
    const taking = this.#take(assignment, signal);
    const taken = await unlessAborted(taking, signal);
    if ("session" in taken) this.#occupied(keys, taken.keys);
    else this.#released(keys);
    if (taken === ABORTED) this.#await(taking.then((late) => ("session" in late ? late.session.close() : undefined)));
    return taken;
  }

  async #take(assignment: Assignment, signal: AbortSignal): Promise<Ready | AgentFailure> {
    const key = keyOf(assignment);
    for (;;) {
      const index = this.#waiting.findIndex(({ keys }) => keys.includes(key));
      const [found] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (!found) return this.#startNow(assignment, signal);
      const ready = await found.ready;
      if (ready && (await this.#fits(ready, assignment))) return ready;
      if (ready) this.#dismiss(ready.session);
    }
  }

  #startNow(assignment: Assignment, signal: AbortSignal): Promise<Ready | AgentFailure> {
    const starting = this.#startupFiles(assignment.role).then((startup) => this.#start(assignment, startup, signal));
    this.#urgent = starting;
    return starting;
  }

  async #start(expected: Expectation, startup: StartupFiles, signal: AbortSignal): Promise<Ready | AgentFailure> {
    const together = this.#together(expected);
    const session = await startSession(this.#options, together, signal);
    if (!("claude" in session)) return session;
    const { max_cost_usd } = expected;
    return { session, keys: together.map(keyOf), isNew: true, startup, max_cost_usd };
  }

  /** All assignments that a process started for this one can answer, in an order that does not depend on which comes first. */
  #together(expected: Expectation): [Expectation, ...Expectation[]] {
    const kind = this.#kindOf(expected);
    const alike = Role.options.flatMap((role) => {
      const one = role === expected.role ? expected : this.#announced.get(role);
      return one && this.#kindOf(one) === kind ? [one] : [];
    });
    const [first = expected, ...others] = alike;
    return [first, ...others];
  }

  /** What a process is started with besides prompts and schemas: roles of one kind can share a process. */
  #kindOf({ role, model = this.#options.models[role], ...rest }: Expectation): string {
    const { access, forbids, max_cost_usd } = rest;
    const alone = role === "executor" || role === "reviewer" ? role : null;
    return JSON.stringify([alone, model, access, !forbids, this.#options.max_turns[role], max_cost_usd]);
  }

  /** The process has answered. It is kept if the answer was good, it can answer again, and another assignment may follow. */
  async finish({ role }: Assignment, ready: Ready, isGood: boolean): Promise<void> {
    const expected = this.#released(ready.keys);
    const isWanted = isGood && (role !== "executor" || expected !== undefined);
    const isKept = isWanted && (await canAnswerAgain(role, ready)) && !this.#closing.signal.aborted;
    if (isKept) this.#waiting.push({ keys: ready.keys, ready: Promise.resolve({ ...ready, isNew: false }) });
    else if (isGood && role !== "executor") this.#dismiss(ready.session);
    else await ready.session.close();
    if (expected && !isKept) this.#startAhead(expected);
  }

  /** A process that was started earlier may serve other roles than one that would be started now. */
  #occupied(asked: readonly string[], keys: readonly string[]): void {
    const expected = this.#released(asked.filter((key) => !keys.includes(key)));
    for (const key of keys) this.#working.add(key);
    if (expected) this.#startAhead(expected);
  }

  /** No process is at work for these keys any more. Returns the next assignment that one of them was to be kept for. */
  #released(keys: readonly string[]): Expectation | undefined {
    const [expected] = keys.flatMap((key) => this.#expected.get(key) ?? []);
    for (const key of keys) {
      this.#expected.delete(key);
      this.#working.delete(key);
    }
    return expected;
  }

  /** Ends the processes that wait for nothing but this role. */
  rest(role: Role): void {
    const isOver = ({ keys }: { keys: readonly string[] }) => keys.every((key) => JSON.parse(key)[0] === role);
    const over = this.#waiting.filter(isOver);
    this.#waiting = this.#waiting.filter((one) => !isOver(one));
    for (const { ready } of over) this.#await(ready.then((one) => one?.session.close()));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const waiting = this.#waiting.splice(0);
    await Promise.all(waiting.map(async ({ ready }) => (await ready)?.session.close()));
    await Promise.all(this.#endings);
  }

  #startAhead(expected: Expectation): void {
    const key = keyOf(expected);
    if (this.#closing.signal.aborted || this.#waiting.some(({ keys }) => keys.includes(key))) return;
    this.#waiting.push({ keys: this.#together(expected).map(keyOf), ready: this.#quietly(expected) });
  }

  /** Undefined when it cannot be started, or should not be started ahead: `take` then starts one, and reports why it fails. */
  async #quietly(expected: Expectation): Promise<Ready | undefined> {
    const { signal } = this.#closing;
    await this.#urgent;
    const startup = await this.#startupFiles(expected.role);
    if (!startup.isQuiet || signal.aborted) return undefined;
    const started = await this.#start(expected, startup, signal);
    return "session" in started ? { ...started, isNew: false } : undefined;
  }

  async #fits({ session, startup, max_cost_usd }: Ready, assignment: Assignment): Promise<boolean> {
    if (session.claude.exit || !isAffordable(max_cost_usd, assignment.max_cost_usd)) return false;
    return (await this.#startupFiles(assignment.role)).fingerprint === startup.fingerprint;
  }

  /** If they cannot be read, Claude Code cannot start either, and its start reports why. */
  async #startupFiles(role: Role): Promise<StartupFiles> {
    return readStartupFiles(this.#options, role).catch(() => ({ fingerprint: "", isQuiet: false }));
  }

  /** Ends a process without waiting. Only for processes that leave nothing running: roles, and unused executors. */
  #dismiss(session: Session): void {
    this.#await(session.close());
  }

  #await(ending: Promise<void>): void {
    const ended = ending.finally(() => this.#endings.delete(ended));
    this.#endings.add(ended);
  }
}

const ABORTED: AgentFailure = { code: "crashed", message: message("cancelled", {}) };

/** Removes its listener, which would keep the session in memory as long as the signal lives. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(ABORTED);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** An executor that left processes running cannot give the next one a fresh context. */
async function canAnswerAgain(role: Role, { session, startup }: Ready): Promise<boolean> {
  if (session.prompts >= ANSWERS[role] || !startup.isQuiet) return false;
  if (role === "intake" && !session.isJoint) return false; // no second intake follows
  return role !== "executor" || (await session.claude.isAlone());
}

function isAffordable(limit: number | undefined, left: number | undefined): boolean {
  return limit === undefined || left === undefined ? limit === left : limit <= left * COST_TOLERANCE;
}

/** The start options that differ between the assignments of one agent. */
function keyOf(expected: Expectation): string {
  const { role, system_prompt, schema, model, access, reads, forbids } = expected;
  const hasPolicy = forbids !== undefined;
  return JSON.stringify([role, system_prompt, schema, model, access, reads, hasPolicy]);
}
