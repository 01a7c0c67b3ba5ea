import { expect } from "vitest";
import { awkwardLines, englishLines, japaneseLines } from "./prose.ts";
import type { Sandbox } from "./sandbox.ts";

interface Reading {
  env?: Record<string, string | undefined>;
  /** Words of other programs and of the user's files. */
  quoted?: readonly string[];
}

/** What a Japanese reader is told while it runs, and afterwards by `show` and `list`. */
export async function toldInJapanese(
  box: Sandbox,
  args: string[],
  { env = {}, quoted = [] }: Reading = {},
): Promise<string> {
  const ja = (...words: string[]) => box.e8(["--lang", "ja", ...words], { env });
  const run = await ja(...args);
  const [id = ""] = await box.tasks();
  const said = [run, ...(id ? [await ja("show", id), await ja("list")] : [])];
  const whole = said.map(({ stdout, stderr }) => stderr + stdout).join("\n");
  expect(whole).not.toContain("[object Object]");
  const own = without(whole, [box.home, ...quoted]);
  expect([...englishLines(own), ...awkwardLines(own)], whole).toEqual([]);
  expect(japaneseLines(run.stdout + run.stderr)).not.toEqual([]);
  return whole;
}

function without(text: string, parts: readonly string[]): string {
  return parts.reduce((left, part) => left.replaceAll(part, "·"), text);
}
