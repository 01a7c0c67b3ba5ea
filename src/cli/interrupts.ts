import process from "node:process";
import { isatty } from "node:tty";
import { exitCodes } from "./exit-codes.ts";

export interface Interrupts {
  /** Aborts at the first Ctrl-C: the run winds down. */
  signal: AbortSignal;
  /** Aborts at the second: what is still winding down is ended at once. */
  hurry: AbortSignal;
  /** Gives the signals back their usual meaning. */
  release(): void;
}

/**
 * Without a terminal a hangup does not concern us: nohup, cron and systemd start us so. Node does not keep nohup's request to
 * ignore the hangup.
 */
export function ignoreForeignHangups(): void {
  if (!hasTerminal()) process.on("SIGHUP", () => {});
}

/** A third Ctrl-C leaves without waiting for anything. */
export function listenForInterrupts(onFirst: () => void): Interrupts {
  const controllers = [new AbortController(), new AbortController()] as const;
  const signals = ["SIGINT", "SIGTERM", ...(hasTerminal() ? (["SIGHUP"] as const) : [])] as const;
  let count = 0;
  const interrupted = () => {
    if (count === 0) onFirst();
    const controller = controllers[count++];
    if (controller) controller.abort();
    else process.exit(exitCodes.cancelled);
  };
  for (const name of signals) process.on(name, interrupted);
  return {
    signal: controllers[0].signal,
    hurry: controllers[1].signal,
    release: () => {
      for (const name of signals) process.off(name, interrupted);
    },
  };
}

function hasTerminal(): boolean {
  return [0, 1, 2].some(isatty);
}
