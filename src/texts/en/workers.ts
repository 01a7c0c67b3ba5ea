import type { WorkerRecord } from "../../model/workers.ts";

type Say = (from: string, to: string, until?: string) => string;

/** Workers that take turns. */
export const enWorkers = {
  workers: {
    label: "worked",
    by: (worker: string) => `by ${worker}`,
    atWork: (worker: string) => `${worker} works`,
    did: (worker: string, iterations: number) =>
      `${worker} (${iterations === 1 ? "1 iteration" : `${iterations} iterations`})`,
    escalated: (to: string, iteration: number) => `, also with ${to}, which took over at iteration ${iteration}`,
    cause: {
      limited: (from, to, until) => `${from} cannot be asked until ${until}, so ${to} takes over`,
      unavailable: (from, to) => `${from} cannot be asked, so ${to} takes over`,
      failing: (from, to) => `${from} failed several times in a row, so ${to} takes over`,
      stalled: (from, to) => `no progress with ${from}, so ${to} takes over`,
      back: (_, to) => `${to} takes over again`,
    } satisfies Record<WorkerRecord["cause"], Say> as Record<WorkerRecord["cause"], Say>,
  },
};
