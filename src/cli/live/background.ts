import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

/**
 * Whether the shell has put us into the background of our terminal (`&`, or Ctrl-Z and `bg`). There it is somebody else's to draw
 * on and to set up. No signal tells of it: `fg` gives a job that runs the terminal back without a word.
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
  const [foreground, group] = (spawnSync("ps", question, LIMITS).stdout ?? "").trim().split(/\s+/);
  return Number(foreground) > 0 && foreground !== group;
}

/** In a session of its own, because Ctrl-Z would stop it, too. */
const LIMITS = { encoding: "utf8", timeout: 500, killSignal: "SIGKILL", detached: true } as const;
