import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import type { Sandbox } from "./sandbox.ts";

const execute = promisify(execFile);
const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

/** A terminal that a program can type into; where there is none, the tests that need it say that they were skipped. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface TerminalSettings {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
  /** What is typed into the shell to have it done; `bash ../go` becomes e8. */
  start?: string;
}

/** A real terminal with a shell in it that runs e8, and then says its exit code. */
export interface Terminal {
  /** What stands on the screen, line by line. */
  screen(): Promise<string[]>;
  /** The same with its colours. */
  coloured(): Promise<string>;
  /** The screen and what has scrolled away. */
  scrollback(): Promise<string>;
  shows(text: string | RegExp): Promise<void>;
  /** Presses keys, as tmux calls them. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Waits for a question, and types an answer to it. */
  answer(question: string | RegExp, text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What tmux knows of it: `cursor_flag`, `pane_title` … */
  fact(name: string): Promise<string>;
  /** Sends a signal to what the shell runs. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** The shell takes commands, and its cursor can be seen. */
  isUsable(): Promise<void>;
}

/** Runs e8 with these arguments, or a line of shell in which "$E8" is the program. */
export async function openTerminal(
  box: Sandbox,
  run: string[] | string,
  settings: TerminalSettings = {},
): Promise<Terminal> {
  const { columns = 100, rows = 40, start = 'bash ../go; echo "exit code $?"' } = settings;
  const env = { ...box.env, E8, ...settings.env };
  const tmux = async (...words: string[]) =>
    (await execute("tmux", ["-S", join(box.home, "t"), "-f", "/dev/null", ...words], { cwd: box.project, env })).stdout;
  const line = typeof run === "string" ? run : `exec ${[process.execPath, E8, ...run].map(quoted).join(" ")}`;
  const term = settings.env?.TERM === undefined ? "" : `export TERM=${settings.env.TERM}\n`; // tmux has its own word on it
  await writeFile(join(box.home, "go"), `${term}${line}\n`);
  await tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    "PS1='$ ' HISTFILE= exec bash --norc --noprofile -i",
  );
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => {});
  });
  const terminal = terminalOf(tmux);
  await terminal.shows(/^\$ /m);
  await terminal.type(`clear; ${start}`);
  await terminal.press("Enter");
  return terminal;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function terminalOf(tmux: (...words: string[]) => Promise<string>): Terminal {
  const shows = (text: string | RegExp) =>
    vi.waitFor(async () => expect(await tmux("capture-pane", "-p", "-J")).toMatch(text), {
      timeout: 60_000,
      interval: 50,
    });
  const type = async (text: string) => void (await tmux("send-keys", "-l", text));
  const press = async (...keys: string[]) => void (await tmux("send-keys", ...keys));
  const fact = async (name: string) => (await tmux("display-message", "-p", `#{${name}}`)).trim();
  return {
    shows,
    type,
    press,
    fact,
    screen: async () => (await tmux("capture-pane", "-p")).split("\n").slice(0, -1),
    coloured: () => tmux("capture-pane", "-p", "-e"),
    scrollback: () => tmux("capture-pane", "-p", "-J", "-S", "-"),
    async answer(question, text) {
      await shows(question);
      if (text !== "") await type(text);
      await press("Enter");
    },
    resize: async (columns, rows) => void (await tmux("resize-window", "-x", String(columns), "-y", String(rows))),
    async kill(signal) {
      const { stdout } = await execute("pgrep", ["-P", await fact("pane_pid")]);
      process.kill(Number(stdout.trim()), signal);
    },
    async isUsable() {
      await type('echo "works: $((40 + 2))"');
      await press("Enter");
      await shows(/^works: 42$/m);
      expect(await fact("cursor_flag")).toBe("1");
    },
  };
}
