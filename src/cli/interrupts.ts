import process from "node:process";
import { isatty } from "node:tty";
import { exitCodes } from "./exit-codes.ts";

/** How a question at the terminal can be interrupted. */
export interface Asked {
  signal: AbortSignal;
  /**
   * Calls a function that has the shell stop us. The call returns when the shell has us go on; until then our processes stand still.
   * Where no shell could have us go on (`ssh -t host e8 run …`), the kernel does not carry out SIGTSTP, as it would SIGSTOP.
   */
  whilePaused(stop: () => void): void;
}

export interface Interrupts {
  /** Aborts at the first Ctrl-C: the run winds down. */
  signal: AbortSignal;
  /** Aborts at the second: what is still winding down is ended at once. */
  hurry: AbortSignal;
  /** Leaves Ctrl-Z to questions for as long as they are asked: they give the terminal back themselves. */
  ask<T>(use: (asked: Asked) => Promise<T>): Promise<T>;
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

/** Where a run or a view is shown, when a key is pressed. */
interface Shown {
  /** At the first Ctrl-C. */
  stopping(): void;
  /** At Ctrl-Z: gives the terminal back to the shell. */
  suspend(): void;
}

/** A third Ctrl-C leaves without waiting for anything. Ctrl-Z also pauses what the switch is for. */
export function listenForInterrupts(shown: Shown, pause?: { set(isOn: boolean): void }): Interrupts {
  const controllers = [new AbortController(), new AbortController()] as const;
  const signals = ["SIGINT", "SIGTERM", ...(hasTerminal() ? (["SIGHUP"] as const) : [])] as const;
  let count = 0;
  const interrupted = () => {
    if (count === 0) shown.stopping();
    const controller = controllers[count++];
    if (controller) controller.abort();
    else process.exit(exitCodes.cancelled);
  };
  const whilePaused = (stop: () => void) => {
    pause?.set(true);
    stop();
    pause?.set(false);
  };
  const stopped = () => {
    shown.suspend();
    process.off("SIGTSTP", stopped);
    whilePaused(() => process.kill(process.pid, "SIGTSTP"));
    process.on("SIGTSTP", stopped);
  };
  for (const name of signals) process.on(name, interrupted);
  process.on("SIGTSTP", stopped);
  return {
    signal: controllers[0].signal,
    hurry: controllers[1].signal,
    ask: async (use) => {
      process.off("SIGTSTP", stopped);
      return use({ signal: controllers[0].signal, whilePaused }).finally(() => process.on("SIGTSTP", stopped));
    },
    release: () => {
      for (const name of signals) process.off(name, interrupted);
      process.off("SIGTSTP", stopped);
    },
  };
}

function hasTerminal(): boolean {
  return [0, 1, 2].some(isatty);
}
