import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheDirectory } from "./install.ts";
import type { Cell } from "./trial.ts";

/** What was seen of one agent the last time that all of it was tried. */
export interface Kept {
  date: string;
  version: string;
  node: string;
  platform: string;
  /** By the title of the row. */
  cells: Record<string, Cell>;
  bench: BenchRow | undefined;
}

/** Medians, in seconds. */
export interface BenchRow {
  e8: number;
  bare: number;
  rounds: number;
}

/** Agents may be tried on different days: each keeps its own. */
export async function keep(name: string, kept: Kept): Promise<void> {
  await mkdir(cacheDirectory(), { recursive: true });
  await writeFile(fileOf(name), JSON.stringify(kept, null, 2));
}

export async function keptOf(name: string): Promise<Kept | undefined> {
  const text = await readFile(fileOf(name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

function fileOf(name: string): string {
  return join(cacheDirectory(), `${name}.seen.json`);
}
