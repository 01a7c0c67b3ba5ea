import { execFile } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { KnownAgent } from "../../src/connection/agents/acp/known-agent.ts";
import { KNOWN_AGENTS, type KnownAgentName } from "../../src/connection/agents/acp/known-agents.ts";
import { say } from "../../src/connection/agents/scripted/model/builders.ts";
import type { BenchRow, Seen } from "./kept.ts";
import { inPlace, type Place, type Tried } from "./place.ts";
import { checkedTask, report, storyOf } from "./trials/common.ts";

const STEPS = [1, 2, 3];
const LEAST_CLIENT = fileURLToPath(new URL("./least-client.mjs", import.meta.url));
/** The slowest of them needs ten seconds a start, the quickest a quarter of one. */
const ROUNDS = { least: 3, most: 11 };
const LONGEST_SECONDS = 60;

/** Three iterations of e8 against three bare starts of the same agent, in turns. */
export async function measure(tried: Tried): Promise<Omit<BenchRow, keyof Seen>> {
  const times: Record<keyof typeof CONTENDERS, number[]> = { e8: [], bare: [], anew: [], least: [] };
  const began = performance.now();
  const [load = 0] = loadavg();
  const isOver = (rounds: number) =>
    rounds >= ROUNDS.most || (rounds >= ROUNDS.least && performance.now() - began > LONGEST_SECONDS * 1000);
  let rounds = 0;
  for (; !isOver(rounds); rounds += 1)
    for (const [name, use] of Object.entries(CONTENDERS))
      times[name as keyof typeof CONTENDERS].push(await timed(tried, use));
  const machine = { load: Math.round(load * 10) / 10, cores: availableParallelism() };
  const medians = {
    e8: median(times.e8),
    bare: median(times.bare),
    anew: median(times.anew),
    least: median(times.least),
  };
  return { ...medians, rounds, ...machine };
}

const CONTENDERS = {
  e8: withE8,
  bare: bareLoop,
  anew: protocolLoop,
  least: (place: Place) => asked(place, STEPS.length),
};

/** Every conversation writes the next file. An agent that is started for the first time in a home makes its files there: that is not measured. */
function timed(tried: Tried, use: (place: Place) => Promise<void>): Promise<number> {
  const storyIn = (project: string) => {
    const scenes = ["warm", ...STEPS].map((step) => ({
      turns: [{ say: "I write.", use: [tried.agent.write(join(project, `step-${step}.txt`), String(step))] }, report()],
    }));
    return storyOf(...scenes, { repeat: true, turns: [say("It is done.")] });
  };
  return inPlace(tried, storyIn, async (place) => {
    await bare(place);
    const began = performance.now();
    await use(place);
    const seconds = (performance.now() - began) / 1000;
    if ((await place.read("step-3.txt")) !== "3") throw new Error("the files were not made");
    return seconds;
  });
}

async function withE8(place: Place): Promise<void> {
  const { code, result } = await place.run(checkedTask("test -f step-3.txt"));
  if (code !== 0 || result?.iterations_used !== STEPS.length)
    throw new Error(`exit ${code} after ${result?.iterations_used}`);
}

async function bareLoop(place: Place): Promise<void> {
  for (const _ of STEPS) await bare(place);
}

async function bare({ agent, project, environment, modules }: Place): Promise<void> {
  const [, ...words] = agent.bare;
  await ended(join(modules, ...agent.bare_program), [...words, "Write the file of the next step."], {
    project,
    environment,
  });
}

async function protocolLoop(place: Place): Promise<void> {
  for (const _ of STEPS) await asked(place, 1);
}

/** By a client that does nothing else. */
async function asked({ agent, project, environment, program }: Place, times: number): Promise<void> {
  const known: KnownAgent | undefined = Object.hasOwn(KNOWN_AGENTS, agent.choice)
    ? KNOWN_AGENTS[agent.choice as KnownAgentName]
    : undefined;
  const [, ...args] = known?.command ?? [];
  await ended(process.execPath, [LEAST_CLIENT, String(times), program, ...args], {
    project,
    environment: { ...environment, ...known?.environment },
  });
}

async function ended(
  command: string,
  args: readonly string[],
  { project: cwd, environment: env }: Pick<Place, "project" | "environment">,
): Promise<void> {
  const child = promisify(execFile)(command, args, { cwd, env });
  child.child.stdin?.end();
  await child;
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
