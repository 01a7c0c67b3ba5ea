import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * Keeps a small shell beside this process that ends the process groups it was told of when this process is gone,
 * whatever ended it: the pipe between them closes by itself. What was asked to end gets five seconds: on a busy machine
 * Claude Code needs several to end its own commands, which nobody else can find. A group that the kernel has asked already
 * is not asked again before that: a second SIGTERM makes Claude Code leave them behind.
 */
export function guardGroup(group: number, isToldByKernel: boolean): void {
  const line = `${isToldByKernel ? "told" : "+"} ${group}\n`;
  tell(line);
  guarded.set(group, line);
}

/** Must follow once the group is ended: its number may be given to others. */
export function unguardGroup(group: number): void {
  guarded.delete(group);
  guard?.stdin?.write(`- ${group}\n`);
}

/** To be called before a group is started: if we are killed while the guard is still starting, nobody ends the group. */
export function readyGuard(): ChildProcess {
  if (guard) return guard;
  guard = startGuard();
  for (const line of guarded.values()) guard.stdin?.write(line);
  return guard;
}

let guard: ChildProcess | undefined;
/** What a guard that takes another's place must know, by group. */
const guarded = new Map<number, string>();

function tell(line: string): void {
  readyGuard().stdin?.write(line);
}

const SCRIPT = `
groups= untold=
without() {
  kept=
  for one in $1; do [ "$one" = "$2" ] || kept="$kept $one"; done
}
while read -r sign group; do
  without "$groups" "$group"; groups=$kept
  without "$untold" "$group"; untold=$kept
  [ "$sign" = - ] || groups="$groups $group"
  [ "$sign" != + ] || untold="$untold $group"
done
[ -n "$groups" ] || exit 0
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
gone 50 && exit 0
for one in $groups; do kill -s TERM -- "-$one"; done 2>/dev/null
gone 50 && exit 0
for one in $groups; do kill -s KILL -- "-$one"; done 2>/dev/null
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
  // Neither the shell nor the pipe to it may keep this process from ending.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
