import type { Assignment } from "../../../model/agent.ts";
import type { Role } from "../../../model/roles.ts";
import type { Expectation } from "../../ports.ts";
import type { ClaudeAgentOptions } from "./configuration.ts";
import { type Session, startSession } from "./session.ts";
import { readSurroundings } from "./surroundings.ts";

/** Asked again and again. The executor is not among them: what its tools leave behind in a process is no fresh context. */
const REUSED: readonly Role[] = ["summarizer", "judge"];
/** A Claude Code grows by about a megabyte with every answer. */
const MOST_PROMPTS = 50;
/** The limit of what may be spent is given at the start: one that is up to a tenth too high is accepted. */
const COST_TOLERANCE = 1.1;

/** A Claude Code that can be asked now. */
export interface Ready {
  session: Session;
  /** Whether it was started for this very answer. Any other must be given a fresh context, and may have died. */
  isNew: boolean;
  /** What its surroundings were when it was started. */
  fingerprint: string;
  max_cost_usd: number | undefined;
}

/** Starts Claude Codes before they are needed, keeps those that can answer again, and ends them all. */
export class WarmSessions {
  readonly #options: ClaudeAgentOptions;
  readonly #closing = new AbortController();
  readonly #farewells = new Set<Promise<void>>();
  #waiting: { key: string; ready: Promise<Ready | undefined> }[] = [];

  constructor(options: ClaudeAgentOptions) {
    this.#options = options;
  }

  /** Has one ready for such an assignment, unless there is one or starting it early would do more than take time. */
  prepare(expected: Expectation): void {
    // Whoever is asked at this moment first takes what is there.
    setImmediate(() => {
      const key = keyOf(expected);
      if (this.#closing.signal.aborted || this.#waiting.some((one) => one.key === key)) return;
      this.#waiting.push({ key, ready: this.#startAhead(expected) });
    });
  }

  /** One that is waiting and still as good as new, or a new one. An error keeps every one from starting. */
  async take(assignment: Assignment, signal: AbortSignal): Promise<Ready | Error> {
    const key = keyOf(assignment);
    for (;;) {
      const index = this.#waiting.findIndex((one) => one.key === key);
      const [found] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (!found) return this.start(assignment, signal);
      const ready = await found.ready;
      if (ready && (await this.#fits(ready, assignment))) return ready;
      if (ready) this.dismiss(ready.session);
    }
  }

  async start(expected: Expectation, signal: AbortSignal): Promise<Ready | Error> {
    const { fingerprint } = isReused(expected) ? await readSurroundings(this.#options, expected.role) : NOT_KEPT;
    const session = await startSession(this.#options, expected, signal);
    if (session instanceof Error) return session;
    return { session, isNew: true, fingerprint, max_cost_usd: expected.max_cost_usd };
  }

  /** Keeps one that has answered well, where it can answer again; ends it otherwise. */
  giveBack(assignment: Assignment, ready: Ready): void {
    const isKept = isReused(assignment) && ready.session.prompts < MOST_PROMPTS && !this.#closing.signal.aborted;
    const key = keyOf(assignment);
    if (isKept) this.#waiting.push({ key, ready: Promise.resolve({ ...ready, isNew: false }) });
    else this.dismiss(ready.session);
  }

  /** Ends one without waiting for it: only for those that have nothing to leave behind. */
  dismiss(session: Session): void {
    const farewell = session.close().finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const waiting = this.#waiting.splice(0);
    await Promise.all(waiting.map(async ({ ready }) => (await ready)?.session.close()));
    await Promise.all(this.#farewells);
  }

  /** Undefined when it cannot be, or should not be: whoever asks then starts one, and hears why. */
  async #startAhead(expected: Expectation): Promise<Ready | undefined> {
    const { signal } = this.#closing;
    const surroundings = await readSurroundings(this.#options, expected.role).catch(() => undefined);
    if (!surroundings?.isQuiet || signal.aborted) return undefined;
    const session = await startSession(this.#options, expected, signal);
    if (session instanceof Error) return undefined;
    const { max_cost_usd } = expected;
    return { session, isNew: false, fingerprint: surroundings.fingerprint, max_cost_usd };
  }

  async #fits({ session, fingerprint, max_cost_usd }: Ready, assignment: Assignment): Promise<boolean> {
    if (session.claude.exit || !isAffordable(max_cost_usd, assignment.max_cost_usd)) return false;
    const now = await readSurroundings(this.#options, assignment.role).catch(() => undefined);
    return now?.fingerprint === fingerprint;
  }
}

const NOT_KEPT = { fingerprint: "" };

function isReused({ role }: Expectation): boolean {
  return REUSED.includes(role);
}

function isAffordable(limit: number | undefined, left: number | undefined): boolean {
  return limit === undefined || left === undefined ? limit === left : limit <= left * COST_TOLERANCE;
}

/** All that a Claude Code is started with, as far as it differs between the assignments of one agent. */
function keyOf({
  role,
  system_prompt,
  schema,
  model,
  permission_mode,
  allowed_tools,
  forbids,
  max_turns,
}: Expectation) {
  return JSON.stringify([
    role,
    system_prompt,
    schema,
    model,
    permission_mode,
    allowed_tools,
    forbids !== undefined,
    max_turns,
  ]);
}
