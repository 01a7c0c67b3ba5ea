import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Cell } from "./trial.ts";

/** What was seen of one version of an agent, perhaps on several days. */
export interface Kept {
  version: string;
  /** By the title of the row. */
  cells: Record<string, KeptCell>;
  bench?: BenchRow;
}

export interface KeptCell extends Cell, Seen {}

/** When and where something was seen. */
export interface Seen {
  date: string;
  node: string;
  platform: string;
}

/** Medians, in seconds. */
export interface BenchRow extends Seen {
  e8: number;
  /** The agent's plain command, once for each iteration. */
  bare: number;
  /** The program that speaks the protocol, started anew for each iteration. */
  anew: number;
  /** A client that does nothing but ask the three questions, each in a session of its own, of one process. */
  least: number;
  rounds: number;
  /** How many programs wanted the machine's cores in the minute before. */
  load: number;
  cores: number;
}

/** How much longer e8 may take than an agent without it. */
const REACH = 1.1;

export function isBeyondReach(one: number, other: number): boolean {
  return one > other * REACH;
}

/** Stands beside the page that is made of it, so that a run of one agent, on any machine, leaves the others as they are. */
export async function keep(name: string, kept: Kept): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(fileOf(name), `${JSON.stringify(kept, null, 2)}\n`);
}

export async function keptOf(name: string): Promise<Kept | undefined> {
  const text = await readFile(fileOf(name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

const FOLDER = fileURLToPath(new URL("./seen/", import.meta.url));

function fileOf(name: string): string {
  return `${FOLDER}${name}.json`;
}
