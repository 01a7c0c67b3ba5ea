import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { errorCode, readFault } from "../stores/files/faults.ts";
import { OWN_SESSION } from "./own-session.ts";

/** A living process; zombies are not listed, because nothing is left of them to end. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** When it was started, in the system's own words: tells it from a later one with the same number. */
  started: string;
}

/** What the system knows about its processes. Throws where nobody can know: an empty table would pass for an ended tree. */
export interface ProcessTable {
  rows(): ProcessRow[];
  /** The processes that were started with this `NAME=value` in their environment, as far as that can be read. */
  carrying(assignment: string): ReadonlySet<number>;
}

export function processTable(): ProcessTable {
  return existsSync("/proc/self/stat") ? procTable : psTable;
}

export const procTable: ProcessTable = {
  rows: () => procIds().flatMap((pid) => statRow(pid) ?? []),
  carrying: (assignment) => new Set(procIds().filter((pid) => environmentOf(pid).includes(assignment))),
};

/** For systems without /proc. What macOS hides of a protected program's environment stays hidden. */
export const psTable: ProcessTable = {
  rows: () => psLines(["-A"], "pid=,ppid=,pgid=,stat=,lstart=").flatMap((line) => psRow(line) ?? []),
  carrying: (assignment) => {
    const withEnvironment = process.platform === "darwin" ? ["-AEww"] : ["axeww"];
    // The value may hold spaces, so what ps prints cannot be split into assignments.
    const carriers = psLines(withEnvironment, "pid=,command=").filter((line) => `${line} `.includes(` ${assignment} `));
    return new Set(carriers.map((line) => Number.parseInt(line, 10)));
  },
};

/** All processes below the given ones, and these themselves. */
export function withDescendants(rows: readonly ProcessRow[], roots: ReadonlySet<number>): Set<number> {
  const found = new Set(roots);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  return found;
}

/** This process and everything above it. */
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
  // The name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  if (!state || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), started: fields[STARTED] ?? "" };
}

/** In clock ticks since the system was started. */
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
