import type { RunCarrier } from "../connection/ports/backlog.ts";
import type { ComparisonEvent, Entry } from "../model/comparison.ts";
import { problemOf } from "../model/errors.ts";
import { drain, Pushed } from "../model/event-stream.ts";

/** An entry to run. `resumed`: it has records already. */
export interface Turnout {
  entry: Entry;
  resumed: boolean;
}

/**
 * Has the agents work on the same task: one after the other, or so many at a time. One that cannot run does not keep the others from it;
 * after an abort none is begun any more.
 */
export async function* compete(
  turnouts: readonly Turnout[],
  worker: RunCarrier,
  { parallel, signal }: { parallel: number; signal: AbortSignal },
): AsyncGenerator<ComparisonEvent, void> {
  const leaving = new AbortController();
  const all = AbortSignal.any([signal, leaving.signal]);
  const pushed = new Pushed<ComparisonEvent>();
  const waiting = [...turnouts];
  const running = new Set<Promise<void>>();
  const begin = () => {
    while (running.size < parallel && waiting.length > 0 && !all.aborted) {
      const next = waiting.shift();
      if (!next) return;
      const run = carried(next, worker, all, (event) => pushed.push(event)).finally(() => {
        running.delete(run);
        pushed.wake();
      });
      running.add(run);
    }
  };
  try {
    for (;;) {
      const arrived = pushed.arrived();
      yield* pushed.take();
      begin();
      if (running.size === 0) break;
      await arrived;
    }
    yield* pushed.take();
  } finally {
    leaving.abort(); // also where the reader has left
    await Promise.all(running);
  }
}

async function carried(
  { entry, resumed }: Turnout,
  worker: RunCarrier,
  signal: AbortSignal,
  tell: (event: ComparisonEvent) => void,
): Promise<void> {
  tell({ type: "entry-start", ...entry, resumed });
  try {
    const result = await drain(worker.carry(entry.task_id, { resumed, signal }), (envelope) =>
      tell({ type: "run", ...entry, envelope }),
    );
    tell({ type: "entry-end", ...entry, status: result.status });
  } catch (error) {
    tell({ type: "entry-failed", ...entry, problem: problemOf(error) });
  }
}
