import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Sandbox } from "../../src/connection/ports/sandbox.ts";
import { candidatesFor } from "../../src/connection/processes/sandbox/choose.ts";

/** Whether a program can be started in this sandbox, on this machine. */
export function works(sandbox: Sandbox): boolean {
  const program = { command: "true", args: [], cwd: "/", environment: process.env };
  const [command = "", ...args] = sandbox.enclose(program, { mounts: [] }) ?? [];
  return command !== "" && spawnSync(command, args, { cwd: "/", stdio: "ignore" }).status === 0;
}

/** Whether this machine has any. Without, a run says so, and what only they can do is skipped. */
export function hasSpaces(): boolean {
  return candidatesFor({ folder: "/tmp" }).some(works);
}

/** The number that a living process has outside its space, by the one that it knows itself and its directory. */
export function pidOutside(pid: number, directory: string): number | undefined {
  if (!existsSync("/proc/self/status")) return pid;
  const isIt = (name: string) => {
    try {
      const [inside] = /^NSpid:.*?(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.slice(1) ?? [];
      return Number(inside) === pid && readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false; // it has ended
    }
  };
  const found = readdirSync("/proc").find((name) => /^\d+$/.test(name) && isIt(name));
  return found === undefined ? undefined : Number(found);
}
