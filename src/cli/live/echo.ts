import { spawnSync } from "node:child_process";

/**
 * Says whether the terminal shows what is typed. Shown, it would stand in the middle of what we draw, and an Enter would push
 * that up, out of our reach. Unlike raw mode this leaves Ctrl-C and Ctrl-Z to the terminal, and what was typed to the shell.
 */
export function setEcho(isShown: boolean): void {
  spawnSync("stty", [isShown ? "echo" : "-echo"], { stdio: [DRAWN_ON, "ignore", "ignore"], ...LIMITS });
}

/** Standard error. Not /dev/tty: on some systems that is no terminal in another session. */
const DRAWN_ON = 2;

/**
 * In a session of its own, `stty` is stopped neither by Ctrl-Z nor for changing a terminal that the shell has just taken back.
 * For that, the kernel would stop our whole group, and nobody would be left who could go on.
 */
const LIMITS = { timeout: 500, killSignal: "SIGKILL", detached: true } as const;
