import { backoffSeconds, PATIENCE_HOURS } from "../judgment/failures.ts";
import type { AgentFailure } from "../model/agent.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { listed } from "../model/message.ts";
import { Halt, haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { timeLeft } from "./time-left.ts";

const ROUNDING_SECONDS = 0.001;

/**
 * Waits until temporary failures of one answer pass. Patience limits the wait for services that do not say when to retry; it
 * starts with the first such failure.
 */
export class ApiOutage {
  readonly #context: RunContext;
  readonly #iteration: number;
  #attempt = 0;
  #since: number | undefined;
  /** When the first wait began. */
  #begun: number | undefined;

  constructor(context: RunContext, iteration: number) {
    this.#context = context;
    this.#iteration = iteration;
  }

  /** Whether waiting until the next attempt would take longer than this in all. */
  outlasts({ retry_at }: AgentFailure, seconds: number): boolean {
    const { clock } = this.#context.ports;
    const now = clock.now().getTime();
    const next = retry_at !== undefined && retry_at > now ? (retry_at - now) / 1000 : backoffSeconds(this.#attempt + 1);
    return clock.elapsed() - (this.#begun ?? clock.elapsed()) + next > seconds;
  }

  /**
   * Returns when asking again makes sense; throws when patience or the time ends, or the run is cancelled. `who` is waited for, where there
   * are several.
   */
  async *wait(failure: AgentFailure, who?: string): AsyncGenerator<RunEvent, void> {
    const { clock } = this.#context.ports;
    const attempt = ++this.#attempt;
    this.#begun ??= clock.elapsed();
    const now = clock.now().getTime();
    const named = failure.retry_at !== undefined && failure.retry_at > now ? failure.retry_at : undefined;
    this.#since = named === undefined ? (this.#since ?? clock.elapsed()) : undefined;
    if (this.#since !== undefined && clock.elapsed() - this.#since > PATIENCE_HOURS * 3600)
      throw new E8Error("unreachable", { message: failure.message, hours: PATIENCE_HOURS });
    const until = named ?? now + backoffSeconds(attempt) * 1000;
    const reason = listed([...(who === undefined ? [] : [who]), failure.message], ": ");
    yield { type: "waiting", reason, code: failure.code, until, attempt };
    await this.#sleepUntil(until);
  }

  async #sleepUntil(until: number): Promise<void> {
    const { ports, meter, signal } = this.#context;
    for (;;) {
      const { seconds: left, stop_reason } = timeLeft(this.#context);
      const seconds = Math.max(0, (until - ports.clock.now().getTime()) / 1000);
      await ports.clock.sleep(Math.min(seconds, Math.max(0, left)) * 1000, signal);
      await meter.charge("waiting", this.#iteration, { tokens: 0, cost_usd: 0 });
      haltIfAborted(signal);
      if (seconds < left) return;
      if (timeLeft(this.#context).seconds <= ROUNDING_SECONDS) throw new Halt({ stop_reason });
      await ports.clock.going(signal); // a pause has left some of the budget
    }
  }
}
