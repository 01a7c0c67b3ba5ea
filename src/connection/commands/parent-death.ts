import { spawnSync } from "node:child_process";
import { findProgram } from "./programs.ts";

/**
 * Prefixes a command so that the kernel ends it when this process dies, kill -9 included. Linux with util-linux only;
 * elsewhere the command comes back as it is, and `guard.ts` does what can be done.
 */
export function dyingWithParent(command: string, args: readonly string[], path: string | undefined): string[] {
  prefix ??= workingPrefix();
  // A program that cannot be started must fail in spawn(), with its own error, not inside setpriv.
  return findProgram(command, path) ? [...prefix, command, ...args] : [command, ...args];
}

/** Whether children learn of this process's death by themselves. */
export function isToldByKernel(): boolean {
  prefix ??= workingPrefix();
  return prefix.length > 0;
}

let prefix: readonly string[] | undefined;

function workingPrefix(): readonly string[] {
  // An absolute path, because the child's PATH may be another one than ours.
  const setpriv = process.platform === "linux" ? findProgram("setpriv", process.env.PATH) : undefined;
  if (!setpriv) return [];
  const works = spawnSync(setpriv, ["--pdeathsig", "TERM", "true"], { stdio: "ignore" }).status === 0;
  return works ? [setpriv, "--pdeathsig", "TERM"] : [];
}
