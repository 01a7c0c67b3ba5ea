/** Pauses runs of this process from within it. */
export class PauseSwitch {
  readonly #listeners = new Set<(isOn: boolean) => void>();

  /** The runs stand still, or go on, when this returns. */
  set(isOn: boolean): void {
    for (const listener of this.#listeners) listener(isOn);
  }

  /** Returns a function that stops listening. */
  listen(listener: (isOn: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
