import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { say } from "../../src/connection/agents/scripted/model/builders.ts";
import type { BenchRow } from "./kept.ts";
import { inPlace, type Place, type Tried } from "./place.ts";
import { checkedTask, report, storyOf } from "./trials/common.ts";

const STEPS = [1, 2, 3];
/** The slowest of them needs ten seconds a start. */
const ROUNDS = Number(process.env.E8_AGENT_ROUNDS ?? 3);

/** Three iterations of e8 against three bare starts of the same agent, in turns; undefined where it cannot be started alone. */
export async function measure(tried: Tried): Promise<BenchRow | undefined> {
  if (tried.agent.bare.length === 0) return undefined;
  const times: { e8: number[]; bare: number[] } = { e8: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.e8.push(await timed(tried, withE8));
    times.bare.push(await timed(tried, bareLoop));
  }
  return { e8: median(times.e8), bare: median(times.bare), rounds: ROUNDS };
}

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

async function bare({ agent, project, environment, program }: Place): Promise<void> {
  const [name = "", ...words] = agent.bare;
  const command = name === agent.program ? program : join(dirname(program), name);
  const child = promisify(execFile)(command, [...words, "Write the file of the next step."], {
    cwd: project,
    env: environment,
  });
  child.child.stdin?.end();
  await child;
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
