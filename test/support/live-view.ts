import { expect, vi } from "vitest";
import type { Terminal } from "./terminal.ts";

/** A worker that says something and then works until it is let go. */
export const PATIENT = "echo 'looking at 日本語のファイル'; until [ -f go ]; do sleep 0.1; done; echo done";
export const HINT = "Ctrl-C stops; e8 run --resume goes on";

export function runOf(agent: string, ...more: string[]): string[] {
  return ["run", "Mend the cart", "--check", "test -f go", "--agent-command", agent, ...more];
}

/** The live view stands once on the screen and ends with its hint. */
export async function isOnce(terminal: Terminal, hint = HINT): Promise<void> {
  await vi.waitFor(
    async () => {
      const screen = await terminal.screen();
      expect(screen.filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /.test(line))).toHaveLength(1);
      expect(screen.filter((line) => line.includes(hint))).toHaveLength(1);
    },
    { timeout: 20_000, interval: 100 },
  );
}
