import type { Lane } from "../connection/ports/branch.ts";
import { urgencyOf } from "./order.ts";

interface Waiting {
  rank: number;
  /** When it was ready for the first time: a conflict does not cost its place. */
  since: number;
  pass(): void;
}

/** The line before each base: the most urgent first, then the one that was ready first. */
export class Lanes {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #held = new Set<string>();

  /** The place in line of one turn. */
  for(priority: string | undefined, now: () => number): Lane {
    let since: number | undefined;
    const rank = urgencyOf(priority);
    return {
      hold: (base, signal) => {
        since ??= now();
        return this.#hold(base, { rank, since }, signal);
      },
    };
  }

  async #hold(base: string, place: Omit<Waiting, "pass">, signal: AbortSignal): Promise<() => void> {
    if (this.#held.has(base)) await this.#turn(base, place, signal);
    this.#held.add(base);
    return () => this.#next(base);
  }

  #turn(base: string, place: Omit<Waiting, "pass">, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(base) ?? [];
      const one: Waiting = { ...place, pass: resolve };
      line.push(one);
      this.#waiting.set(base, line);
      signal.addEventListener(
        "abort",
        () => {
          const at = line.indexOf(one);
          if (at < 0) return; // it has passed
          line.splice(at, 1);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  #next(base: string): void {
    const line = this.#waiting.get(base) ?? [];
    line.sort((left, right) => left.rank - right.rank || left.since - right.since);
    const next = line.shift();
    if (next) next.pass();
    else this.#held.delete(base);
  }
}
