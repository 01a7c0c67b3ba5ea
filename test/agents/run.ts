// `npm run test:agents [-- words]`: the real agents from npm, through the built e8, against scripted servers of their own APIs. Words choose
// agents and trials (`codex loop`). Without words, everything is tried, measured, and written into docs/agents-tried.md. Exits with 1 when
// something was not seen.
import process from "node:process";
import { install } from "./install.ts";
import { type Seen, writePage } from "./page.ts";
import type { Tried } from "./place.ts";
import { type Cell, missed, type Trial } from "./trial.ts";
import { bounds } from "./trials/bounds.ts";
import { doctor } from "./trials/doctor.ts";
import { ends } from "./trials/ends.ts";
import { loop } from "./trials/loop.ts";
import { refusals } from "./trials/refusals.ts";
import { roles } from "./trials/roles.ts";
import { claude } from "./tried/claude.ts";
import { codex } from "./tried/codex.ts";
import { gemini } from "./tried/gemini.ts";
import { opencode } from "./tried/opencode.ts";

const AGENTS = [codex, gemini, opencode, claude];
const TRIALS: readonly Trial[] = [loop, roles, bounds, refusals, ends, doctor];

const words = process.argv.slice(2);
const chosen = <T extends { name: string }>(all: readonly T[]) => {
  const named = all.filter(({ name }) => words.includes(name));
  return named.length > 0 ? named : all;
};

const seen: Seen = new Map();
const tried: Tried[] = [];
for (const agent of chosen(AGENTS)) tried.push({ agent, installed: await install(agent) });
for (const one of tried) for (const trial of chosen(TRIALS)) await tryOut(one, trial);
if (words.length === 0) await writePage(tried, seen, "");
process.exitCode = [...seen.values()].some((cells) => [...cells.values()].some(({ is_seen }) => !is_seen)) ? 1 : 0;

/** One agent at a time: each of them takes what a small machine has. */
async function tryOut(one: Tried, trial: Trial): Promise<void> {
  const began = Date.now();
  const cells = await cellsOf(one, trial);
  for (const [row, title] of Object.entries(trial.rows)) {
    const cell = cells[row] ?? missed("not tried");
    const cellsOfRow = seen.get(title) ?? new Map<string, Cell>();
    seen.set(title, cellsOfRow.set(one.agent.name, cell));
    console.log(`${cell.is_seen ? "✔" : "✘"} ${one.agent.name}: ${title}${cell.note ? ` (${cell.note})` : ""}`);
  }
  console.log(`  ${one.agent.name} ${trial.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

async function cellsOf(one: Tried, trial: Trial): Promise<Record<string, Cell>> {
  try {
    return await trial.run(one);
  } catch (error) {
    const problem = missed(error instanceof Error ? error.message : String(error));
    return Object.fromEntries(Object.keys(trial.rows).map((row) => [row, problem]));
  }
}
