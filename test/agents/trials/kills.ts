import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../../support/seeded-kill.ts";
import { allGone, inPlace, type Place, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, lastWords, storyOf, works } from "./common.ts";

const SEED = 16;
/** The slower the agent, the fewer moments. */
const MOMENTS = { least: 8, most: 24 };
const LONGEST_SECONDS = 90;
/** A run that was over before its moment came is tried again, and killed sooner. */
const MOST_TRIES = 4;
const SOONER = 0.8;
const STEPS = [1, 2, 3];

/** A run of three iterations, killed anywhere between its start and its end. */
export const kills: Trial<"moments"> = {
  name: "kills",
  rows: { moments: "kill -9 of e8 at moments all over a run: nothing is left" },
  async run(tried) {
    return { moments: await killedAnywhere(tried) };
  },
};

/** One moment in each part of a run. How long one takes is measured on the second: the first reads the agent from the disk. */
async function killedAnywhere(tried: Tried): Promise<Cell> {
  await inRun(tried, undisturbed);
  const whole = await inRun(tried, undisturbed);
  const random = randomFrom(SEED);
  const count = Math.min(MOMENTS.most, Math.max(MOMENTS.least, Math.floor(LONGEST_SECONDS / whole)));
  let slowest = 0;
  for (let moment = 0; moment < count; moment += 1) {
    const seconds = ((moment + random()) / count) * whole;
    const gone = await killedAbout(tried, seconds).catch((error: Error) => error);
    if (gone instanceof Error) return cell(false, "", `killed after ${seconds.toFixed(2)} s: ${gone.message}`);
    slowest = Math.max(slowest, gone);
  }
  return cell(true, `${count} moments in ${whole.toFixed(1)} s, gone after ${slowest.toFixed(1)} s`, "");
}

/** Seconds until nothing was left. */
async function killedAbout(tried: Tried, seconds: number): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const after = seconds * SOONER ** tries;
    const gone = await inRun(tried, (place) => killedAfter(place, after));
    if (gone !== undefined) return gone;
  }
  throw new Error("the run was over each time");
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

/** Seconds until nothing is left; undefined if the run was over. */
async function killedAfter(place: Place, seconds: number): Promise<number | undefined> {
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
  child.kill("SIGKILL");
  await ended;
  return child.signalCode === "SIGKILL" ? allGone(place.home) : undefined;
}
