// `npm run test:agents [-- words]`: the real agents from npm, through the built e8, against scripted servers of their own APIs. Words choose
// agents (`codex`), trials (`loop`) and `bench`. What was seen is kept in test/agents/seen, one file an agent, and docs/agents-tried.md is
// made of it: what was not tried again stays, as long as the agent's version is the same. Exits with 1 when something was not seen, or when
// what was measured is beyond the reach.
import process from "node:process";
import { measure } from "./bench.ts";
import { install } from "./install.ts";
import { type BenchRow, isBeyondReach, type Kept, keep, keptOf, type Seen } from "./kept.ts";
import { type Column, writePage } from "./page.ts";
import type { Tried } from "./place.ts";
import { type Cell, missed, type Trial } from "./trial.ts";
import { bounds } from "./trials/bounds.ts";
import { doctor } from "./trials/doctor.ts";
import { ends } from "./trials/ends.ts";
import { flow } from "./trials/flow.ts";
import { kills } from "./trials/kills.ts";
import { loop } from "./trials/loop.ts";
import { refusals } from "./trials/refusals.ts";
import { roles } from "./trials/roles.ts";
import { claude } from "./tried/claude.ts";
import { codex } from "./tried/codex.ts";
import { gemini } from "./tried/gemini.ts";
import { opencode } from "./tried/opencode.ts";

const AGENTS = [codex, gemini, opencode, claude];
const TRIALS: readonly Trial[] = [loop, roles, flow, bounds, refusals, ends, kills, doctor];
const TITLES = TRIALS.flatMap(({ rows }) => Object.values(rows));

const words = process.argv.slice(2);
const named = <T extends { name: string }>(all: readonly T[]) => all.filter(({ name }) => words.includes(name));
const agents = named(AGENTS).length > 0 ? named(AGENTS) : AGENTS;
const isBench = words.includes("bench");
const isPart = isBench || named(TRIALS).length > 0;
const trials = isPart ? named(TRIALS) : TRIALS;

const all: Cell[] = [];
const slow: string[] = [];
for (const agent of agents) all.push(...Object.values(await tryOut({ agent, installed: await install(agent) })));
await writePage(await columns(), TITLES);
if (slow.length > 0) console.log(`✘ beyond the reach: ${slow.join(", ")}`);
process.exitCode = all.every(({ is_seen }) => is_seen) && slow.length === 0 ? 0 : 1;

/** One agent at a time: each of them takes what a small machine has. */
async function tryOut(tried: Tried): Promise<Record<string, Cell>> {
  const cells: Record<string, Cell> = {};
  for (const trial of trials) {
    Object.assign(cells, await cellsOf(tried, trial));
    await remember(tried, { cells });
  }
  if (!isBench && isPart) return cells;
  const bench = await measure(tried);
  const { e8, bare, anew, least } = bench;
  const told = Object.entries({ e8, bare, anew, least }).map(([name, seconds]) => `${name} ${seconds.toFixed(2)} s`);
  console.log(`  ${tried.agent.name}: ${told.join(", ")}`);
  for (const [name, seconds] of Object.entries({ bare, anew }))
    if (isBeyondReach(e8, seconds)) slow.push(`${tried.agent.name} against ${name} (${(e8 / seconds).toFixed(2)} ×)`);
  await remember(tried, { cells, bench: { ...bench, ...now() } });
  return cells;
}

/** After each trial: the whole takes long, and may be ended. */
async function remember(
  { agent, installed: { version } }: Tried,
  anew: { cells: Record<string, Cell>; bench?: BenchRow },
) {
  const before = await keptOf(agent.name);
  const earlier: Pick<Kept, "cells" | "bench"> = before?.version === version ? before : { cells: {} };
  const cells = Object.fromEntries(Object.entries(anew.cells).map(([title, cell]) => [title, { ...cell, ...now() }]));
  const all = Object.entries({ ...earlier.cells, ...cells }).filter(([title]) => TITLES.includes(title));
  await keep(agent.name, {
    version,
    cells: Object.fromEntries(all),
    ...(earlier.bench && { bench: earlier.bench }),
    ...(anew.bench && { bench: anew.bench }),
  });
}

function now(): Seen {
  const date = new Date().toISOString().slice(0, 10);
  return { date, node: process.version, platform: `${process.platform} ${process.arch}` };
}

async function columns(): Promise<Column[]> {
  const found = await Promise.all(AGENTS.map(async (agent) => ({ agent, kept: await keptOf(agent.name) })));
  return found.flatMap(({ agent, kept }) => (kept ? [{ agent, kept }] : []));
}

/** By the title of each row. */
async function cellsOf(tried: Tried, trial: Trial): Promise<Record<string, Cell>> {
  const began = Date.now();
  const seen = await run(tried, trial);
  const cells = Object.entries(trial.rows).map(([row, title]) => [title, seen[row] ?? missed("not tried")] as const);
  for (const [title, { is_seen, note }] of cells)
    console.log(`${is_seen ? "✔" : "✘"} ${tried.agent.name}: ${title}${note ? ` (${note})` : ""}`);
  console.log(`  ${tried.agent.name} ${trial.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return Object.fromEntries(cells);
}

async function run(tried: Tried, trial: Trial): Promise<Record<string, Cell>> {
  try {
    return await trial.run(tried);
  } catch (error) {
    const problem = missed(error instanceof Error ? error.message : String(error));
    return Object.fromEntries(Object.keys(trial.rows).map((row) => [row, problem]));
  }
}
