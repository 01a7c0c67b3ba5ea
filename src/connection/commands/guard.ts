import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { isToldByKernel } from "./parent-death.ts";

/**
 * Keeps a small shell beside this process that ends the process groups it was told of when this process is gone,
 * whatever ended it: the pipe between them closes by itself. What was asked to end gets five seconds: on a busy machine
 * Claude Code needs several to end its own commands, which nobody else can find. Where the kernel has asked already, it is
 * not asked again before that: a second SIGTERM makes it leave them behind.
 */
export function guardGroup(group: number): void {
  tell(`+ ${group}\n`);
}

/** Must follow once the group is ended: its number may be given to others. */
export function unguardGroup(group: number): void {
  tell(`- ${group}\n`);
}

let guard: ChildProcess | undefined;

function tell(line: string): void {
  guard ??= startGuard();
  guard.stdin?.write(line);
}

const SCRIPT = `
groups=
while read -r sign group; do
  kept=
  for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
  groups=$kept
  [ "$sign" = - ] || groups="$groups $group"
done
[ -n "$groups" ] || exit 0
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
gone "$1" && exit 0
for one in $groups; do kill -s TERM -- "-$one"; done 2>/dev/null
gone 50 && exit 0
for one in $groups; do kill -s KILL -- "-$one"; done 2>/dev/null
`;

function startGuard(): ChildProcess {
  const child = spawn("sh", ["-c", SCRIPT, "sh", isToldByKernel() ? "50" : "0"], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const forget = () => {
    if (guard === child) guard = undefined;
  };
  child.on("error", forget).on("exit", forget);
  child.stdin?.on("error", forget);
  // Neither the shell nor the pipe to it may keep this process from ending.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
