import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Socket } from "node:net";
import type { Environment } from "../../model/environment.ts";
import { findProgram, OWN_SESSION } from "./programs.ts";

/**
 * Has a process group ended when this process is gone, kill -9 included: a small shell beside it notices that the pipe between them
 * closes. After SIGTERM the group gets five seconds: on a busy machine Claude Code needs several to end its own commands, which
 * only it can find. A group that the kernel has signalled gets no second SIGTERM before that: it would make Claude Code leave its
 * commands behind. Those that have left the group are found by their mark, where processes have a /proc.
 */
export function guardGroup(group: number, { isSignalledByKernel, id }: Guarded): void {
  const line = `${isSignalledByKernel ? "told" : "+"} ${group} ${id}\n`;
  readyGuard().stdin?.write(line);
  guarded.set(group, line);
}

interface Guarded {
  isSignalledByKernel: boolean;
  /** The value of ENDLESS8_PROCESS in the environment of its processes. */
  id: string;
}

/** Must be called once the group has ended: its number may be given to another one. */
export function unguardGroup(group: number): void {
  guarded.delete(group);
  guard?.stdin?.write(`- ${group}\n`);
}

/** Must be called before a group is started: a group would survive us if we were killed while the guard is starting. */
export function readyGuard(): ChildProcess {
  if (guard) return guard;
  guard = startGuard();
  for (const line of [...guarded.values(), stoppedLine()]) guard.stdin?.write(line);
  return guard;
}

/**
 * Names the processes of a task that are stopped now. When this process is gone, they go on first: a stopped process does not act on
 * SIGTERM.
 */
export function keepStopped(taskToken: string, pids: readonly number[]): void {
  stopped.set(taskToken, pids);
  guard?.stdin?.write(stoppedLine());
}

function stoppedLine(): string {
  return `stopped ${[...stopped.values()].flat().join(" ")}\n`;
}

let guard: ChildProcess | undefined;
/** The lines to send again when a new guard replaces one that died, by group. */
const guarded = new Map<number, string>();
/** By the token of their task. */
const stopped = new Map<string, readonly number[]>();

const SCRIPT = `
groups= untold= stopped= marks=
without() {
  kept=
  for one in $1; do [ "$one" = "$2" ] || kept="$kept $one"; done
}
while read -r sign group mark; do
  if [ "$sign" = stopped ]; then stopped="$group $mark"; continue; fi
  kept=
  for one in $marks; do [ "\${one%%:*}" = "$group" ] || kept="$kept $one"; done
  marks=$kept
  [ -z "$mark" ] || marks="$marks $group:$mark"
  without "$groups" "$group"; groups=$kept
  without "$untold" "$group"; untold=$kept
  [ "$sign" = - ] || groups="$groups $group"
  [ "$sign" != + ] || untold="$untold $group"
done
[ -n "$groups" ] || exit 0
for one in $stopped; do kill -s CONT "$one"; done 2>/dev/null
for one in $untold; do kill -s TERM -- "-$one"; done 2>/dev/null
gone() {
  tries=$1
  while :; do
    alive=
    for one in $groups; do kill -s 0 -- "-$one" 2>/dev/null && alive=1; done
    [ -n "$alive" ] || return 0
    [ "$tries" -gt 0 ] || return 1
    tries=$((tries - 1))
    sleep 0.1
  done
}
marked() {
  for one in $marks; do
    grep -slF "ENDLESS8_PROCESS=\${one#*:}" /proc/[0-9]*/environ
  done | while read -r file; do file=\${file#/proc/}; echo "\${file%/environ}"; done
}
sweep() {
  left=$(marked)
  [ -n "$left" ] || exit 0
  kill -s "$1" $left 2>/dev/null
}
finish() {
  sweep TERM
  tries=20
  while [ "$tries" -gt 0 ] && [ -n "$(marked)" ]; do tries=$((tries - 1)); sleep 0.1; done
  sweep KILL
  exit 0
}
gone 50 && finish
for one in $groups; do kill -s TERM -- "-$one"; done 2>/dev/null
gone 50 && finish
for one in $groups; do kill -s KILL -- "-$one"; done 2>/dev/null
finish
`;

function startGuard(): ChildProcess {
  const child = spawn("sh", ["-c", SCRIPT], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const forget = () => {
    if (guard === child) guard = undefined;
  };
  child.on("error", forget).on("exit", forget);
  child.stdin?.on("error", forget);
  // Neither the shell nor its pipe may keep this process alive.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

interface Program {
  command: string;
  args: readonly string[];
  environment: Environment;
}

/** Prefixes a command so that the kernel sends it SIGTERM when this process dies, kill -9 included. */
export function dyingWithParent({ command, args, environment }: Program): string[] {
  prefix ??= workingPrefix();
  // A program that cannot be started must fail in spawn(), with its own error, not inside setpriv.
  return findProgram(command, environment.PATH) ? [...prefix, command, ...args] : [command, ...args];
}

/** Whether `dyingWithParent` works here: on Linux with util-linux. Elsewhere the guard sends SIGTERM. */
export function isKernelSignalling(): boolean {
  prefix ??= workingPrefix();
  return prefix.length > 0;
}

let prefix: readonly string[] | undefined;

function workingPrefix(): readonly string[] {
  // An absolute path, because the child may have another PATH.
  const setpriv = process.platform === "linux" ? findProgram("setpriv", process.env.PATH) : undefined;
  if (!setpriv) return [];
  const works = spawnSync(setpriv, ["--pdeathsig", "TERM", "true"], { ...OWN_SESSION, stdio: "ignore" }).status === 0;
  return works ? [setpriv, "--pdeathsig", "TERM"] : [];
}
