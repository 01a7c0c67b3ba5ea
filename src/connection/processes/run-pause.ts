import type { RunClock } from "../clock.ts";
import { send } from "./ending.ts";
import { keepStopped } from "./guard.ts";
import { processTable } from "./process-table.ts";
import { processesOf } from "./process-tree.ts";

/** Why a run stands still: the store was asked for it, or a shell has stopped this program. */
export type PauseReason = "asked" | "stopped";

interface PausedRun {
  clock: RunClock;
  /** Marks the processes of the task. */
  task_token: string;
  changed: (isPaused: boolean) => void;
}

/** Enough for a tree that forks while it is being stopped. */
const STOP_PASSES = 25;
/** Until a pause is over, what was started meanwhile is stopped, too. */
const SWEEP_MILLISECONDS = 500;

/** Has a run stand still, with its clock and all its processes, for as long as there is a reason. */
export class RunPause {
  readonly #run: PausedRun;
  readonly #reasons = new Set<PauseReason>();
  readonly #stopped = new Set<number>();
  #sweeping: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(run: PausedRun) {
    this.#run = run;
  }

  /** Synchronous: for Ctrl-Z, this program is stopped right afterwards. */
  set(reason: PauseReason, isGiven: boolean): void {
    if (isGiven && !this.#isOver) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    const isPaused = this.#reasons.size > 0;
    if (isPaused === this.#run.clock.isPaused) return;
    if (isPaused) this.#begin();
    else this.#goOn();
    this.#run.changed(isPaused);
  }

  /** For a run that ends: it goes on and is never paused again. */
  end(): void {
    this.#isOver = true;
    for (const reason of [...this.#reasons]) this.set(reason, false);
  }

  #begin(): void {
    this.#run.clock.pause();
    this.#stopAll();
    this.#sweeping = setInterval(() => this.#stopAll(), SWEEP_MILLISECONDS).unref();
  }

  #goOn(): void {
    clearInterval(this.#sweeping);
    for (const pid of [...this.#stopped].reverse()) send(pid, "SIGCONT");
    this.#stopped.clear();
    keepStopped(this.#run.task_token, []);
    this.#run.clock.unpause();
  }

  /** Parents first, as the system lists them: they must not see their children stop. */
  #stopAll(): void {
    const { task_token } = this.#run;
    const select = processesOf(task_token);
    for (let pass = 0; pass < STOP_PASSES; pass += 1) {
      const found = [...listed(select)].filter((pid) => !this.#stopped.has(pid));
      if (found.length === 0) break;
      for (const pid of found) send(pid, "SIGSTOP");
      for (const pid of found) this.#stopped.add(pid);
      keepStopped(task_token, [...this.#stopped]);
    }
  }
}

/** Without free file descriptors processes cannot be listed; the next sweep tries again. */
function listed(select: ReturnType<typeof processesOf>): ReadonlySet<number> {
  try {
    return select(processTable().rows());
  } catch {
    return new Set();
  }
}
