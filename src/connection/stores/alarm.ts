/** Resolves when it is woken, after so many milliseconds, or at once where it was woken before anybody waited. */
export class Alarm {
  readonly #isIdle: boolean;
  #isRung = false;
  #ring: (() => void) | undefined;

  /** `isIdle`: waiting alone keeps no process alive. */
  constructor({ isIdle = false } = {}) {
    this.#isIdle = isIdle;
  }

  readonly ring = (): void => {
    this.#isRung = true;
    this.#ring?.();
  };

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal?.aborted) await this.#sleep(milliseconds, signal);
    this.#isRung = false;
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#ring?.(), milliseconds);
      if (this.#isIdle) timer.unref();
      this.#ring = () => {
        clearTimeout(timer);
        this.#ring = undefined;
        signal?.removeEventListener("abort", this.ring);
        resolve();
      };
      signal?.addEventListener("abort", this.ring, { once: true });
    });
  }
}
