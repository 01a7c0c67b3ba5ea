import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../../support/seeded-kill.ts";
import { allGone, inPlace, type Place, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, lastWords, storyOf, works } from "./common.ts";

const SEED = 16;
/** The slower the agent, the fewer moments. */
const MOMENTS = { least: 4, most: 16 };
const LONGEST_SECONDS = 60;
const STEPS = [1, 2, 3];

/** A run of three iterations, killed anywhere between its start and its end. */
export const kills: Trial<"moments"> = {
  name: "kills",
  rows: { moments: "kill -9 of e8 at moments all over a run: nothing is left" },
  async run(tried) {
    return { moments: await killedAnywhere(tried) };
  },
};

async function killedAnywhere(tried: Tried): Promise<Cell> {
  const whole = await inRun(tried, undisturbed);
  const random = randomFrom(SEED);
  const count = Math.min(MOMENTS.most, Math.max(MOMENTS.least, Math.floor(LONGEST_SECONDS / whole)));
  let slowest = 0;
  for (let moment = 0; moment < count; moment += 1) {
    const seconds = random() * whole;
    const gone = await inRun(tried, (place) => killedAfter(place, seconds)).catch((error: Error) => error);
    if (gone instanceof Error) return cell(false, "", `killed after ${seconds.toFixed(2)} s: ${gone.message}`);
    slowest = Math.max(slowest, gone);
  }
  return cell(true, `${count} moments, gone after ${slowest.toFixed(1)} s`, "");
}

function inRun<T>(tried: Tried, use: (place: Place) => Promise<T>): Promise<T> {
  const storyIn = (project: string) =>
    storyOf(
      ...STEPS.map((step) => works({ say: "I write.", use: [tried.agent.write(`${project}/${step}.txt`, "done")] })),
    );
  return inPlace(tried, storyIn, use);
}

/** Seconds of the whole run. */
async function undisturbed(place: Place): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await place.run(checkedTask("test -f 3.txt"));
  if (code !== 0) throw new Error(`exit ${code}: ${lastWords(stderr)}`);
  return (performance.now() - began) / 1000;
}

/** Seconds until nothing is left. */
async function killedAfter(place: Place, seconds: number): Promise<number> {
  await place.write("task.yaml", JSON.stringify(checkedTask("test -f 3.txt")));
  const { child, ended } = place.start([
    "run",
    "--config",
    "task.yaml",
    "--json-events",
    "--agent",
    place.agent.choice,
  ]);
  await Promise.race([sleep(seconds * 1000), ended]);
  child.kill("SIGKILL"); // it may have ended already
  await ended;
  return allGone(place.home);
}
