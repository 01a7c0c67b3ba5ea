import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Environment } from "../../model/environment.ts";
import type { Space } from "../ports/sandbox.ts";
import { holdersOf, programOf, signalIn } from "./enclosed.ts";
import { endAll, type Left, send } from "./ending.ts";
import { dyingWithParent, guardGroup, isKernelSignalling, readyGuard, unguardGroup } from "./guard.ts";
import {
  type ProcessRow,
  presentTick,
  processTable,
  type Selection,
  selfAndAncestors,
  treeMembers,
  withDescendants,
} from "./process-table.ts";
import { findProgram } from "./programs.ts";

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
  /** Where it runs; without one, as the user. */
  space?: Space | undefined;
}

export interface Exit {
  /** Null when a signal ended it, unless it ran in a space: from there a signal n arrives as 128 + n. */
  code: number | null;
  /** The signal that ended it; in a space, the one that the code stands for. */
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
  /** Whether it has a space of its own: then the child is the outer of two holders, and the program is below them. */
  readonly is_enclosed: boolean;
  /** When it was started, as a process table tells it: none of its processes is older. */
  readonly began: number | undefined;
}

const GRACE_MILLISECONDS = 3000;
const MARGIN_TICKS = 100;

/** Starts a tree. Throws only where the system refuses at once, as for a command line that is too long. */
export function startTree(start: TreeStart): Tree {
  const id = randomUUID();
  const enclosed = enclosedOf(start);
  const isSignalled = enclosed !== undefined || (!start.guard_suffices && isKernelSignalling());
  const plain = isSignalled ? dyingWithParent : ({ command, args }: TreeStart) => [command, ...args];
  const [command = "", ...args] = enclosed ?? plain(start);
  readyGuard();
  const began = presentTick();
  const child = spawn(command, args, {
    cwd: enclosed ? "/" : start.cwd, // the program's directory may exist only inside
    env: { ...start.environment, ENDLESS8_PROCESS: id, ENDLESS8_TASK: start.task_token },
    stdio: [start.stdin, "pipe", start.stderr],
    detached: true,
  });
  // EPIPE and the like when the program dies early: its exit code says enough.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.on("error", () => {});
  if (child.pid) guardGroup(child.pid, { isSignalledByKernel: isSignalled, id });
  const is_enclosed = enclosed !== undefined;
  const exit = exitOf(child, is_enclosed);
  const tree = { child, exit, marker: `ENDLESS8_PROCESS=${id}`, group: child.pid, is_enclosed, began };
  child.once("exit", () => leaveGroup(tree));
  return tree;
}

/** A program that cannot be started must fail in spawn(), with its own error, not inside a holder. */
function enclosedOf({ command, args, cwd, environment, space }: TreeStart): string[] | undefined {
  if (!space || !findProgram(command, environment.PATH)) return undefined;
  return space.enclose({ command, args, cwd, environment });
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
  if (isOver(tree)) return release(tree);
  const left = orGroup(tree, membersOf(tree));
  await endAll({ left, spared: () => holdersIn(tree), exit: tree.exit }, graceMilliseconds);
  release(tree);
}

/** In a space, all that was inside ends with the program. */
function isOver({ is_enclosed, child }: Tree): boolean {
  return is_enclosed && child.exitCode !== null;
}

/** Sends a signal to the child alone; in a space, to the program. */
export function signalChild(tree: Tree, signal: NodeJS.Signals): void {
  const pid = tree.is_enclosed ? programOf(tree.child.pid, listedRows()) : tree.child.pid;
  if (pid !== undefined && tree.child.exitCode === null && tree.child.signalCode === null) send(pid, signal);
}

/** The processes that must not be told to end: everything inside would be killed at once. */
function holdersIn(tree: Tree): ReadonlySet<number> {
  return new Set(tree.is_enclosed ? holdersOf(tree.child.pid, listedRows()) : []);
}

function listedRows(): ProcessRow[] {
  try {
    return processTable().rows();
  } catch {
    return [];
  }
}

/** Whether the child has no descendants. False when processes cannot be listed. */
export function isAlone(tree: Tree): boolean {
  try {
    const rows = processTable().rows();
    const holders = tree.is_enclosed ? holdersOf(tree.child.pid, rows).length : 0;
    return tree.child.pid !== undefined && livingIn(tree, rows).size - holders <= 1;
  } catch {
    return false;
  }
}

/** All processes of a tree. Undefined when processes cannot be listed. */
export function membersOfTree(tree: Tree): ReadonlySet<number> | undefined {
  try {
    return livingIn(tree, processTable().rows());
  } catch {
    return undefined;
  }
}

/**
 * The members of a tree that is at work. In a space all of them are below its first process, whatever they do: there is no need to read the
 * environment of every process of the machine.
 */
function livingIn(tree: Tree, rows: readonly ProcessRow[]): ReadonlySet<number> {
  const { pid } = tree.child;
  const isBelow = tree.is_enclosed && rows.some((row) => row.pid === pid);
  return isBelow && pid !== undefined ? withDescendants(rows, new Set([pid])) : membersOf(tree)(rows);
}

function membersOf(tree: Tree): Selection {
  const isYounger = ({ started }: ProcessRow) => Number(started) > (tree.began ?? 0) - MARGIN_TICKS;
  const carrying = (rows: readonly ProcessRow[]) =>
    processTable().carrying(tree.marker, tree.began === undefined ? undefined : rows.filter(isYounger));
  return treeMembers({ group: () => tree.group, carrying });
}

/** Ends the processes that an exited child left in its group. Those that moved to another session were meant to stay. */
export async function endGroup(tree: Tree, graceMilliseconds: number): Promise<void> {
  const { group } = tree;
  if (group === undefined) return;
  if (isOver(tree)) return release(tree);
  const inGroup: Selection = (rows) => new Set(rows.filter((row) => row.group === group).map((row) => row.pid));
  if (!isEmpty(group)) await endAll({ left: orGroup(tree, inGroup) }, graceMilliseconds);
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
  await endAll({ left: orphans }, graceMilliseconds);
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

function exitOf(child: ChildProcess, isEnclosed: boolean): Promise<Exit> {
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      resolve({ code, signal: signal ?? (isEnclosed ? signalIn(code) : null), start_error: null });
    });
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, start_error: error.message });
    });
  });
}

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
