/** Reads all events and returns the generator's result. Ends the generator when the reader fails. */
export async function drain<E, R>(events: AsyncGenerator<E, R>, read: (event: E) => void): Promise<R> {
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      read(step.value);
    }
  } finally {
    await ended(events);
  }
}

/** Maps every event through `each`. A reader who stops also ends the source, and with it a working agent. */
export async function* through<E, F, R>(
  events: AsyncGenerator<E, R>,
  each: (event: E) => Iterable<F> | AsyncIterable<F>,
): AsyncGenerator<F, R> {
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      yield* each(step.value);
    }
  } finally {
    await ended(events);
  }
}

/** Ends a generator. Harmless after its end. */
export async function ended<E, R>(events: AsyncGenerator<E, R>): Promise<void> {
  await events.return(undefined as never);
}

/** Events that come from elsewhere while a generator works. */
export class Pushed<E> {
  readonly #events: E[] = [];
  #wake: () => void = () => {};

  push(event: E): void {
    this.#events.push(event);
    this.#wake();
  }

  /** Has whoever waits look again, also without an event. */
  wake(): void {
    this.#wake();
  }

  /** Those since the last call. */
  take(): E[] {
    return this.#events.splice(0);
  }

  /** Resolves when there is one. */
  arrived(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#events.length > 0) resolve();
    });
  }
}

/** The events of a generator, with those that are pushed meanwhile. `leave` must have the generator end when its reader stops early. */
export async function* withPushed<E, R>(
  events: AsyncGenerator<E, R>,
  pushed: Pushed<E>,
  leave: () => void,
): AsyncGenerator<E, R> {
  try {
    for (let next = events.next(); ; ) {
      const step = await Promise.race([next, pushed.arrived()]);
      yield* pushed.take();
      if (!step) continue;
      if (step.done) return step.value;
      yield step.value;
      next = events.next();
    }
  } finally {
    leave();
    await ended(events);
  }
}
