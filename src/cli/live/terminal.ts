import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

/**
 * Whether the shell has put us into the background of our terminal (`&`, or Ctrl-Z and `bg`). There the terminal belongs to
 * another program. No signal tells of it: `fg` gives a running job the terminal back silently.
 */
export function isInBackground(): boolean {
  return process.platform === "linux" ? asksKernel() : asksPs();
}

function asksKernel(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // Behind the program's name, which may hold anything: state, parent, group, session, terminal, the group in its foreground.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return foreground !== group && foreground !== NO_TERMINAL;
  } catch {
    return false;
  }
}

const NO_TERMINAL = "-1";

function asksPs(): boolean {
  const question = ["-o", "tpgid=,pgid=", "-p", String(process.pid)];
  const [foreground, group] = (spawnSync("ps", question, { encoding: "utf8", ...LIMITS }).stdout ?? "")
    .trim()
    .split(/\s+/);
  return Number(foreground) > 0 && foreground !== group;
}

/**
 * In a session of its own, a program is stopped neither by Ctrl-Z nor for changing a terminal that the shell has just taken back.
 * For that, the kernel would stop our whole group, and no process would be left to go on.
 */
const LIMITS = { timeout: 500, killSignal: "SIGKILL", detached: true } as const;

/**
 * Says whether the terminal shows what is typed. Shown, it would stand in the middle of what we draw, and an Enter would push
 * that up, out of our reach. Unlike raw mode this leaves Ctrl-C and Ctrl-Z to the terminal, and what was typed to the shell.
 */
export function setEcho(isShown: boolean): void {
  spawnSync("stty", [isShown ? "echo" : "-echo"], { stdio: [DRAWN_ON, "ignore", "ignore"], ...LIMITS });
}

/** Standard error. Not /dev/tty, which on some systems is not a terminal in another session. */
const DRAWN_ON = 2;
