import type { Clock } from "../connection/ports/clock.ts";
import type { Ledger } from "../connection/ports/open-task.ts";
import { addUsage, type Spender, type Usage } from "../model/usage.ts";

/** Shorter times are charged with the next usage, because every line waits for the disk. */
const WORTH_A_LINE_SECONDS = 0.25;

/**
 * Keeps the task's spending. A charge is on disk before it is announced, and includes the time since the last one. It counts even
 * when it cannot be written.
 */
export class Meter {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #isFree: boolean;
  #spent: Usage;
  #chargedUntil: number;

  /** `isFree`: costs that agents report are not real, because their model is played. */
  constructor(ports: { ledger: Ledger; clock: Clock }, spent: Usage, { isFree } = { isFree: false }) {
    this.#ledger = ports.ledger;
    this.#clock = ports.clock;
    this.#spent = spent;
    this.#isFree = isFree;
    this.#chargedUntil = ports.clock.elapsed();
  }

  /** Charges the usage, and the time since the last charge. */
  async charge(spender: Spender, iteration: number, usage: Omit<Usage, "seconds">): Promise<Usage> {
    const now = this.#clock.elapsed();
    const unknown = this.#isFree ? usage.unknown?.filter((amount) => amount !== "cost") : usage.unknown;
    const isNothing = usage.tokens === 0 && usage.cost_usd === 0 && !unknown?.length;
    if (isNothing && now - this.#chargedUntil < WORTH_A_LINE_SECONDS) return this.total();
    const cost_usd = this.#isFree ? 0 : usage.cost_usd;
    const seconds = now - this.#chargedUntil;
    const spending: Usage = {
      tokens: usage.tokens,
      cost_usd,
      seconds,
      ...(unknown?.length && { unknown }),
    };
    this.#chargedUntil = now;
    const timestamp = this.#clock.now().toISOString();
    try {
      await this.#ledger.append({ type: "spending", spender, iteration, ...spending, timestamp });
    } finally {
      this.#spent = addUsage(this.#spent, spending);
    }
    return this.#spent;
  }

  /** Everything spent, including time not yet charged. */
  total(): Usage {
    return addUsage(this.#spent, { tokens: 0, cost_usd: 0, seconds: this.#clock.elapsed() - this.#chargedUntil });
  }
}
