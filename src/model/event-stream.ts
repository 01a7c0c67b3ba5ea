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
