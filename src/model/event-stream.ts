/** Reads events to their end and gives what they come to. When the reader fails, they are ended: nobody would hear of them any more. */
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

/** Hands on what `each` makes of every event. Whoever stops reading ends the source, too, and with it an agent at work. */
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

/** Harmless on a generator that has come to its end. What it would return here, nobody asks for. */
export async function ended<E, R>(events: AsyncGenerator<E, R>): Promise<void> {
  await events.return(undefined as never);
}
