import { setTimeout as sleep } from "node:timers/promises";

/** A failure that may be gone the next time. */
export class PassingFailure extends Error {
  /** How long the other side asked us to wait. */
  readonly wait_seconds: number | undefined;

  constructor(message: string, options: ErrorOptions & { wait_seconds?: number | undefined } = {}) {
    super(message, options);
    this.name = "PassingFailure";
    this.wait_seconds = options.wait_seconds;
  }
}

export interface Patience {
  attempts: number;
  /** Before the second attempt; doubled before each further one. */
  first_wait_seconds: number;
  /** Who asks for a longer wait is not waited for. */
  longest_wait_seconds: number;
}

/** Does what is harmless when done twice, until it succeeds, fails for good, or the signal aborts. */
export async function patiently<T>(patience: Patience, act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PassingFailure) || attempt >= patience.attempts || signal.aborted) throw error;
      const wait = error.wait_seconds ?? patience.first_wait_seconds * 2 ** (attempt - 1);
      if (wait > patience.longest_wait_seconds) throw error;
      await sleep(wait * 1000, undefined, { signal });
    }
  }
}
