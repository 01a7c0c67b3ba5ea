import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { dyingWithParent, guardGroup, isKernelSignalling, readyGuard, unguardGroup } from "./guard.ts";
import { processTable, type Selection, selfAndAncestors, treeMembers, withDescendants } from "./process-table.ts";

export interface TreeStart {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Environment;
  /** Marks the processes of one task, for `endOrphans`. */
  task_token: string;
  stdin: "pipe" | "ignore";
  stderr: "pipe" | "ignore";
  /**
   * Only the guard ends the child's group when this process is killed. Otherwise the kernel signals the child as well, which can
   * then end processes that only it knows; that start takes a millisecond longer.
   */
  guard_suffices?: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why the child could not be started. */
  start_error: string | null;
}

/** A child in its own session, with all its descendants. */
export interface Tree {
  readonly child: ChildProcess;
  /** How the child itself ended, or why it could not be started. */
  readonly exit: Promise<Exit>;
  /** `NAME=value` that every descendant inherits unless it clears its environment. */
  readonly marker: string;
  /** Its process group, until it is known to be empty: then the number may be given to another one. */
  readonly group: number | undefined;
}

const GRACE_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 40;
/** Enough for a tree that forks while it is being killed. */
const KILL_PASSES = 25;

/** Starts a tree. Throws only where the system refuses at once, as for a command line that is too long. */
export function startTree(start: TreeStart): Tree {
  const id = randomUUID();
  const isSignalled = !start.guard_suffices && isKernelSignalling();
  const [command = "", ...args] = isSignalled ? dyingWithParent(start) : [start.command, ...start.args];
  readyGuard();
  const child = spawn(command, args, {
    cwd: start.cwd,
    env: { ...start.environment, ENDLESS8_PROCESS: id, ENDLESS8_TASK: start.task_token },
    stdio: [start.stdin, "pipe", start.stderr],
    detached: true,
  });
  // EPIPE and the like when the program dies early: its exit code says enough.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.on("error", () => {});
  if (child.pid) guardGroup(child.pid, isSignalled);
  const tree = { child, exit: exitOf(child), marker: `ENDLESS8_PROCESS=${id}`, group: child.pid };
  child.once("exit", () => leaveGroup(tree));
  return tree;
}

/** An empty group is forgotten: its number may be given to another one. */
function leaveGroup(tree: { group: number | undefined }): void {
  if (tree.group === undefined || !isEmpty(tree.group)) return;
  unguardGroup(tree.group);
  tree.group = undefined;
}

/**
 * Ends the child and all its descendants, also those in other sessions: SIGTERM, and SIGKILL for those left after the grace. Returns
 * when none is left; harmless for a tree that has ended by itself. Never throws: if processes cannot be listed, only the tree's
 * process group is ended.
 */
export async function endTree(tree: Tree, graceMilliseconds = GRACE_MILLISECONDS): Promise<void> {
  if (!tree.child.pid) return;
  const left = orGroup(tree, membersOf(tree));
  await endAll(left, graceMilliseconds, tree.exit);
  release(tree);
}

/** Whether the child has no descendants. False when processes cannot be listed. */
export function isAlone(tree: Tree): boolean {
  try {
    return tree.child.pid !== undefined && membersOf(tree)(processTable().rows()).size <= 1;
  } catch {
    return false;
  }
}

function membersOf(tree: Tree): Selection {
  return treeMembers({ group: () => tree.group, carrying: () => processTable().carrying(tree.marker) });
}

/** Ends the processes that an exited child left in its group. Those that moved to another session were meant to stay. */
export async function endGroup(tree: Tree, graceMilliseconds: number): Promise<void> {
  const { group } = tree;
  if (group === undefined) return;
  const inGroup: Selection = (rows) => new Set(rows.filter((row) => row.group === group).map((row) => row.pid));
  if (!isEmpty(group)) await endAll(orGroup(tree, inGroup), graceMilliseconds);
  release(tree);
}

/** Processes that could not be ended in all this time are given up. */
function release(tree: Tree): void {
  leaveGroup(tree);
  if (tree.group !== undefined) unguardGroup(tree.group);
}

/** Nearly every command leaves nothing behind, and reading the process table would take a millisecond. */
function isEmpty(group: number): boolean {
  try {
    return !process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * Ends the processes that an earlier run with this token left behind when it was killed. Returns their number. Throws when processes
 * cannot be listed.
 */
export async function endOrphans(taskToken: string, graceMilliseconds = GRACE_MILLISECONDS): Promise<number> {
  const seen = new Set<number>();
  const select = processesOf(taskToken);
  const orphans = () => {
    const found = select(processTable().rows());
    for (const pid of found) seen.add(pid);
    return found;
  };
  await endAll(orphans, graceMilliseconds);
  return seen.size;
}

/** The processes with a task's mark and their descendants; never this process or its ancestors, which may carry the mark of another run. */
export function processesOf(taskToken: string): Selection {
  return (rows) => {
    const spared = selfAndAncestors(rows);
    const carrying = processTable().carrying(`ENDLESS8_TASK=${taskToken}`);
    const roots = new Set([...carrying].filter((pid) => !spared.has(pid)));
    return new Set([...withDescendants(rows, roots)].filter((pid) => !spared.has(pid)));
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal, start_error: null }));
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, start_error: error.message });
    });
  });
}

/** The processes that are left, as `process.kill` takes them. */
type Left = () => ReadonlySet<number>;

/** Without free file descriptors processes cannot be listed, but a group can be signalled by its number. */
function orGroup(tree: Tree, select: Selection): Left {
  return () => {
    try {
      return select(processTable().rows());
    } catch {
      return new Set(tree.group === undefined || isEmpty(tree.group) ? [] : [-tree.group]);
    }
  };
}

/** `exit`: the earliest moment at which none may be left. */
async function endAll(left: Left, graceMilliseconds: number, exit?: Promise<Exit>): Promise<void> {
  const deadline = performance.now() + graceMilliseconds;
  for (const pid of left()) {
    send(pid, "SIGTERM");
    send(pid, "SIGCONT"); // one that a killed run has left stopped does not act on the other
  }
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

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
