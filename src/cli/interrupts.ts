import process from "node:process";
import { exitCodes } from "./exit-codes.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Interrupts {
  /** Aborts at the first Ctrl-C: the run winds down. */
  signal: AbortSignal;
  /** Aborts at the second: whatever still winds down is ended at once. */
  hurry: AbortSignal;
  /** Gives the signals back their usual meaning. */
  release(): void;
}

/** A third Ctrl-C leaves without waiting for anything. */
export function listenForInterrupts(onFirst: () => void): Interrupts {
  const controllers = [new AbortController(), new AbortController()] as const;
  let count = 0;
  const interrupted = () => {
    if (count === 0) onFirst();
    const controller = controllers[count++];
    if (controller) controller.abort();
    else process.exit(exitCodes.cancelled);
  };
  for (const name of SIGNALS) process.on(name, interrupted);
  return {
    signal: controllers[0].signal,
    hurry: controllers[1].signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, interrupted);
    },
  };
}
