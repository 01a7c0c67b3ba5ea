import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { z } from "zod";
import { errorCode } from "./faults.ts";

/** Identifies one process, even when a later one gets the same pid. */
export const ProcessIdentity = z.object({
  host: z.string(),
  /** Null where the system has none. */
  boot_id: z.string().nullable(),
  pid: z.int().positive(),
  /** Clock ticks from boot to the process's start; null where there is no /proc. */
  started: z.string().nullable(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Of this process, by where it was read: it stays the same while the process lives. */
const known = new Map<string, ProcessIdentity>();

export async function ownIdentity(proc = "/proc"): Promise<ProcessIdentity> {
  const before = known.get(proc);
  if (before) return before;
  const [boot_id, state] = await Promise.all([bootId(proc), processState(process.pid, proc)]);
  const identity = { host: hostname(), boot_id, pid: process.pid, started: state?.started ?? null };
  if (identity.started !== null) known.set(proc, identity);
  return identity;
}

/** Whether this process still exists. Processes on other hosts count as alive, because we cannot see them. */
export async function isAlive(identity: ProcessIdentity, proc = "/proc"): Promise<boolean> {
  const own = await ownIdentity(proc);
  if (identity.host !== own.host) return true;
  if (identity.boot_id !== null && own.boot_id !== null && identity.boot_id !== own.boot_id) return false;
  if (identity.started === null || own.started === null) return answersSignals(identity.pid);
  const state = await processState(identity.pid, proc);
  return state?.started === identity.started && !state.dead;
}

async function bootId(proc: string): Promise<string | null> {
  try {
    return (await readFile(`${proc}/sys/kernel/random/boot_id`, "utf8")).trim();
  } catch {
    return await bootSession();
  }
}

/** macOS. */
async function bootSession(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("sysctl", ["-n", "kern.bootsessionuuid"]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

async function processState(pid: number, proc: string): Promise<{ started: string; dead: boolean } | undefined> {
  const stat = await readFile(`${proc}/${pid}/stat`, "utf8").catch(() => "");
  // The second field is the program's name in parentheses; it may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = fields[19];
  // A zombie has ended, but its parent has not read the exit code yet.
  return started === undefined ? undefined : { started, dead: fields[0] === "Z" || fields[0] === "X" };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
