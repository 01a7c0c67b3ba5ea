import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { errorCode, readFault } from "../stores/files/faults.ts";
import { OWN_SESSION } from "./programs.ts";

/** A living process. Zombies are not listed: there is nothing left to end. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** When it was started, as the system writes it: tells it apart from a later process with the same number. */
  started: string;
}

/** The system's processes. Throws when they cannot be listed: an empty table would look like an ended tree. */
export interface ProcessTable {
  rows(): ProcessRow[];
  /** The processes that were started with this `NAME=value` in their environment, as far as that can be read; all, or those `among` them. */
  carrying(assignment: string, among?: readonly ProcessRow[]): ReadonlySet<number>;
}

export function processTable(): ProcessTable {
  return existsSync("/proc/self/stat") ? procTable : psTable;
}

export const procTable: ProcessTable = {
  rows: () => procIds().flatMap((pid) => statRow(pid) ?? []),
  carrying: (assignment, among) => {
    const ids = among?.map(({ pid }) => pid) ?? procIds();
    return new Set(ids.filter((pid) => environmentOf(pid).includes(assignment)));
  },
};

const TICKS_A_SECOND = 100;

/** The present moment as /proc writes when a process was started. Undefined without a /proc. */
export function presentTick(): number | undefined {
  try {
    return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * TICKS_A_SECOND);
  } catch {
    return undefined;
  }
}

/** For systems without /proc. macOS does not show the environment of protected programs. */
export const psTable: ProcessTable = {
  rows: () => psLines(["-A"], "pid=,ppid=,pgid=,stat=,lstart=").flatMap((line) => psRow(line) ?? []),
  carrying: (assignment) => {
    const withEnvironment = process.platform === "darwin" ? ["-AEww"] : ["axeww"];
    // The value may contain spaces, so the line cannot be split into assignments.
    const carriers = psLines(withEnvironment, "pid=,command=").filter((line) => `${line} `.includes(` ${assignment} `));
    return new Set(carriers.map((line) => Number.parseInt(line, 10)));
  },
};

/** The given processes and all their descendants. */
export function withDescendants(rows: readonly ProcessRow[], roots: ReadonlySet<number>): Set<number> {
  const found = new Set(roots);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  return found;
}

/** This process and all its ancestors. */
export function selfAndAncestors(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid && !line.has(pid); pid = parents.get(pid)) line.add(pid);
  return line;
}

function procIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch (error) {
    throw readFault(error, "/proc");
  }
}

function statRow(pid: number): ProcessRow | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  // The name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  if (!state || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), started: fields[STARTED] ?? "" };
}

/** The field with the start time, in clock ticks since boot. */
const STARTED = 19;

function environmentOf(pid: number): string[] {
  return readQuietly(`/proc/${pid}/environ`).split("\0");
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (NO_DESCRIPTORS.has(errorCode(error) ?? "")) throw readFault(error, path);
    return ""; // gone in the meantime, or another user's
  }
}

const NO_DESCRIPTORS = new Set(["EMFILE", "ENFILE"]);

function psLines(selection: string[], columns: string): string[] {
  const ps = spawnSync("ps", [...selection, "-o", columns], {
    ...OWN_SESSION,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ps.error && !ps.stdout) throw readFault(ps.error, "ps");
  return (ps.stdout ?? "").split("\n").map((line) => line.trim());
}

function psRow(line: string): ProcessRow | undefined {
  const [pid, parent, group, state, ...started] = line.split(/\s+/);
  if (!state || state.startsWith("Z")) return undefined;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), started: started.join(" ") };
}

/** Picks some of the living processes. */
export type Selection = (rows: readonly ProcessRow[]) => Set<number>;

interface TreeSigns {
  /** The tree's process group, as long as the number still belongs to it. */
  group(): number | undefined;
  /** Those with the tree's marker in their environment. */
  carrying(rows: readonly ProcessRow[]): ReadonlySet<number>;
}

/**
 * Picks the members of a tree, and remembers them: once a parent has died, its children can no longer be found through it. Members
 * are known by number and start time, because the number of an ended process may be given to another one.
 */
export function treeMembers({ group, carrying }: TreeSigns): Selection {
  const known = new Set<string>();
  return (rows) => {
    const [number, marked] = [group(), carrying(rows)];
    const seen = rows.filter((row) => row.group === number || marked.has(row.pid) || known.has(identityOf(row)));
    const members = withDescendants(rows, new Set(seen.map((row) => row.pid)));
    for (const row of rows) if (members.has(row.pid)) known.add(identityOf(row));
    return members;
  };
}

function identityOf({ pid, started }: ProcessRow): string {
  return `${pid} ${started}`;
}
