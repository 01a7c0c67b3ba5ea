import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { guardGroup, readyGuard, unguardGroup } from "./guard.ts";
import { dyingWithParent, isKernelTelling } from "./parent-death.ts";
import { type ProcessRow, processTable, selfAndAncestors, withDescendants } from "./processes.ts";

export interface TreeStart {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Environment;
  /** Marks what belongs to one task, for `endOrphans`. */
  task_token: string;
  stdin: "pipe" | "ignore";
  stderr: "pipe" | "ignore";
  /**
   * Leaves it to the guard to end the child's group when this process is killed. Otherwise the kernel asks the child,
   * which can then end what only it knows of; starting it so takes a millisecond more.
   */
  guard_suffices?: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why there never was a process. */
  start_error: string | null;
}

/** A child in its own session, with everything that descends from it. */
export interface Tree {
  readonly child: ChildProcess;
  /** How the child itself ended, or that it could not be started. */
  readonly exit: Promise<Exit>;
  /** `NAME=value` that every descendant inherits unless it clears its environment. */
  readonly marker: string;
}

const GRACE_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 40;
/** Enough for a tree that forks while it is being killed. */
const KILL_PASSES = 25;

/** Starts a tree. Throws only for what the system refuses outright, such as a command line too long. */
export function startTree(start: TreeStart): Tree {
  const id = randomUUID();
  const isTold = !start.guard_suffices && isKernelTelling();
  const [command = "", ...args] = isTold ? dyingWithParent(start) : [start.command, ...start.args];
  readyGuard();
  const child = spawn(command, args, {
    cwd: start.cwd,
    env: { ...start.environment, ENDLESS8_PROCESS: id, ENDLESS8_TASK: start.task_token },
    stdio: [start.stdin, "pipe", start.stderr],
    detached: true,
  });
  child.stdin?.on("error", () => {}); // EPIPE when the program dies early; its exit code tells the story
  if (child.pid) guardGroup(child.pid, isTold);
  return { child, exit: exitOf(child), marker: `ENDLESS8_PROCESS=${id}` };
}

/**
 * Ends the child and all its descendants, those in other sessions included: SIGTERM, and SIGKILL for what is left
 * after the grace. Returns when nothing is left; harmless on a tree that has ended by itself.
 */
export async function endTree(tree: Tree, graceMilliseconds = GRACE_MILLISECONDS): Promise<void> {
  const { pid } = tree.child;
  if (!pid) return;
  await endAll(treeMembers(tree, pid), graceMilliseconds, tree.exit);
  unguardGroup(pid);
}

/** Whether the child has no descendants. */
export function isAlone(tree: Tree): boolean {
  const { pid } = tree.child;
  return pid !== undefined && treeMembers(tree, pid)(processTable().rows()).size <= 1;
}

/** Ends what a child that has exited left running in its own process group. What moved to another session was meant to stay. */
export async function endGroup(tree: Tree, graceMilliseconds: number): Promise<void> {
  const { pid } = tree.child;
  if (!pid) return;
  if (!isEmpty(pid))
    await endAll((rows) => new Set(rows.filter((row) => row.group === pid).map((row) => row.pid)), graceMilliseconds);
  unguardGroup(pid);
}

/** Nearly every command leaves nothing behind: asking costs nothing, reading the process table a millisecond. */
function isEmpty(group: number): boolean {
  try {
    return !process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Ends what an earlier run with this token left behind when it was killed. Returns how many processes that were. */
export async function endOrphans(taskToken: string, graceMilliseconds = GRACE_MILLISECONDS): Promise<number> {
  const seen = new Set<number>();
  await endAll((rows) => {
    const spared = selfAndAncestors(rows);
    const carrying = processTable().carrying(`ENDLESS8_TASK=${taskToken}`);
    const roots = new Set([...carrying].filter((pid) => !spared.has(pid)));
    const orphans = new Set([...withDescendants(rows, roots)].filter((pid) => !spared.has(pid)));
    for (const pid of orphans) seen.add(pid);
    return orphans;
  }, graceMilliseconds);
  return seen.size;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal, start_error: null }));
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, start_error: error.message });
    });
  });
}

type Selection = (rows: readonly ProcessRow[]) => Set<number>;

/** Remembers whom it has seen: a descendant whose parent has died can no longer be found through it. */
function treeMembers(tree: Tree, group: number): Selection {
  const known = new Set<number>();
  return (rows) => {
    for (const row of rows) if (row.group === group) known.add(row.pid);
    for (const pid of processTable().carrying(tree.marker)) known.add(pid);
    for (const pid of withDescendants(rows, known)) known.add(pid);
    return new Set(rows.map((row) => row.pid).filter((pid) => known.has(pid)));
  };
}

/** `exit`: the end after which looking makes sense. */
async function endAll(select: Selection, graceMilliseconds: number, exit?: Promise<Exit>): Promise<void> {
  const left = () => select(processTable().rows());
  const deadline = performance.now() + graceMilliseconds;
  for (const pid of left()) send(pid, "SIGTERM");
  await Promise.race([exit, sleep(graceMilliseconds, undefined, { ref: false })]);
  while (performance.now() < deadline) {
    if (left().size === 0) return;
    await sleep(POLL_MILLISECONDS);
  }
  for (let pass = 0; pass < KILL_PASSES; pass += 1) {
    const stubborn = left();
    if (stubborn.size === 0) return;
    for (const pid of stubborn) send(pid, "SIGKILL");
    await sleep(POLL_MILLISECONDS);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
