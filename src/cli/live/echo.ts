import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** A process in the background may not change the terminal and is stopped when it tries: then it is ended. */
const PATIENCE_MILLISECONDS = 500;

/**
 * Says whether the terminal shows what is typed. Shown, it would stand in the middle of what we draw, and an Enter would push
 * that up, out of our reach. Unlike raw mode this leaves Ctrl-C and Ctrl-Z to the terminal, and what was typed to the shell.
 */
export function setEcho(isShown: boolean): void {
  let terminal: number | undefined;
  try {
    terminal = openSync("/dev/tty", "r");
    const limits = { timeout: PATIENCE_MILLISECONDS, killSignal: "SIGKILL" as const };
    spawnSync("stty", [isShown ? "echo" : "-echo"], { stdio: [terminal, "ignore", "ignore"], ...limits });
  } catch {
    // no terminal of our own: nobody types at it
  } finally {
    if (terminal !== undefined) closeSync(terminal);
  }
}
