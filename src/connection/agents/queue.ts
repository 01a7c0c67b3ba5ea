/** Hands things over to a reader that may come later or be slower. */
export class Queue<T> {
  readonly #items: T[] = [];
  #isClosed = false;
  #wake: () => void = () => {};
  #makeRoom: () => void = () => {};

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Resolves when the reader has taken all but so many. */
  async room(most: number): Promise<void> {
    while (this.#items.length > most && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#makeRoom = resolve;
      });
  }

  /** Nothing more is to come. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#makeRoom();
  }

  async *read(): AsyncGenerator<T> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        this.#makeRoom();
        yield next;
      } else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
