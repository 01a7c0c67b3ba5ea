import { spawnSync } from "node:child_process";
import type { Environment } from "../../model/environment.ts";
import { OWN_SESSION } from "./own-session.ts";
import { findProgram } from "./programs.ts";

interface Program {
  command: string;
  args: readonly string[];
  environment: Environment;
}

/** Prefixes a command so that the kernel asks it to end when this process dies, kill -9 included. */
export function dyingWithParent({ command, args, environment }: Program): string[] {
  prefix ??= workingPrefix();
  // A program that cannot be started must fail in spawn(), with its own error, not inside setpriv.
  return findProgram(command, environment.PATH) ? [...prefix, command, ...args] : [command, ...args];
}

/** Whether that works here: on Linux with util-linux. Elsewhere `guard.ts` does what can be done. */
export function isKernelTelling(): boolean {
  prefix ??= workingPrefix();
  return prefix.length > 0;
}

let prefix: readonly string[] | undefined;

function workingPrefix(): readonly string[] {
  // An absolute path, because the child's PATH may be another one than ours.
  const setpriv = process.platform === "linux" ? findProgram("setpriv", process.env.PATH) : undefined;
  if (!setpriv) return [];
  const works = spawnSync(setpriv, ["--pdeathsig", "TERM", "true"], { ...OWN_SESSION, stdio: "ignore" }).status === 0;
  return works ? [setpriv, "--pdeathsig", "TERM"] : [];
}
