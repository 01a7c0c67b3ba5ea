import type { Role } from "../../../model/roles.ts";
import type { Expectation } from "../../ports/agent.ts";
import type { AcpAgentOptions } from "./options.ts";
import { AcpProcess } from "./process.ts";
import { forgetsUnasked, kindOf, openSession } from "./sessions.ts";

/** How many answers one process gives: its memory grows with each. */
const MOST_SESSIONS = 20;

/**
 * The agent's processes. One serves answer after answer, each in a session of its own; several that are asked at the same time need
 * several. None is kept without need: an executor's only where another answer is expected.
 */
export class AcpProcesses {
  readonly #options: AcpAgentOptions;
  readonly #closing = new AbortController();
  readonly #idle: AcpProcess[] = [];
  readonly #endings = new Set<Promise<void>>();
  /** Roles whose answers were announced. The next worker is announced before the current one takes its process. */
  readonly #expected = new Set<Role>();
  /** Of these, the workers that have not come. */
  readonly #workers: Expectation[] = [];
  #ahead: Promise<void> | undefined;
  #atWork = 0;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  /** Keeps the process that is at work, or starts one ahead. */
  prepare(expected: Expectation): void {
    this.#expected.add(expected.role);
    if (expected.role === "executor") this.#workers.push(expected);
    // Later, so that an assignment given in this turn takes its process first.
    setImmediate(() => {
      if (this.#atWork + this.#idle.length > 0 || this.#ahead || this.#closing.signal.aborted) return;
      this.#ahead = AcpProcess.start(this.#options, this.#closing.signal)
        .then((agent) => this.#keep(agent))
        .catch(() => {}) // the answer that needs it meets the same failure
        .finally(() => {
          this.#ahead = undefined;
        });
    });
  }

  /** One that waits, or a new one. Throws where none can be started. */
  async take({ role }: Expectation, signal: AbortSignal): Promise<AcpProcess> {
    this.#atWork += 1;
    if (role === "executor") this.#workers.shift();
    try {
      await this.#ahead;
      for (let agent = this.#idle.pop(); agent; agent = this.#idle.pop()) {
        if (!agent.exit) return agent;
        this.#await(agent.end());
      }
      return await AcpProcess.start(this.#options, signal);
    } catch (error) {
      this.#atWork -= 1;
      throw error;
    }
  }

  /** The process has answered. It is kept if the answer was good and another one may follow. */
  async finish(agent: AcpProcess, { role, step_id }: Expectation, isGood: boolean): Promise<void> {
    this.#atWork -= 1;
    const isWanted = role !== "executor" || this.#expected.size > 0 || step_id !== undefined; // steps follow one another
    const isKept = isGood && isWanted && agent.sessions < MOST_SESSIONS && (await agent.isAsBefore());
    if (isKept) this.#keep(agent);
    else await agent.end();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ahead;
    await Promise.all(this.#idle.splice(0).map((agent) => agent.end()));
    await Promise.all(this.#endings);
  }

  #keep(agent: AcpProcess): void {
    if (this.#closing.signal.aborted || agent.exit) this.#await(agent.end());
    else {
      this.#idle.push(agent);
      this.#openAhead(agent);
    }
  }

  /**
   * While the last worker's work is looked at, the next one's session can be opened. It sees the files as the last one left them. Not
   * where a role may ask the same process meanwhile: what the session starts would seem to be left over from the role's answer.
   */
  #openAhead(agent: AcpProcess): void {
    const [assignment] = this.#workers;
    const isAlone = [...this.#expected].every((role) => role === "executor");
    if (!assignment || !isAlone || !agent.info || !forgetsUnasked(agent.info)) return;
    const need = { options: this.#options, assignment };
    agent.openAhead(kindOf(need), () => openSession(agent, need));
  }

  #await(ending: Promise<void>): void {
    const ended = ending.finally(() => this.#endings.delete(ended));
    this.#endings.add(ended);
  }
}
