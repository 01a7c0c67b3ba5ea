import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { allGone, inPlace, type Place, processesOf, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, lastWords, storyOf, works } from "./common.ts";

/** How long an agent may take to come to its work: the slowest needs half a minute on a busy machine. */
const PATIENCE_SECONDS = 120;

/** However e8 ends, the agent and what it has started end, too. */
export const ends: Trial<"interrupted" | "killed" | "killed_waiting"> = {
  name: "ends",
  rows: {
    interrupted: "Ctrl-C while its command runs: nothing is left, and the task can be resumed",
    killed: "kill -9 of e8 while its command runs: nothing is left",
    killed_waiting: "kill -9 of e8 while it waits for its model: nothing is left",
  },
  async run(tried) {
    return {
      interrupted: await endedBy(tried, "SIGINT", commandOf),
      killed: await endedBy(tried, "SIGKILL", commandOf),
      killed_waiting: await endedBy(tried, "SIGKILL", () => ({ fault: { kind: "stall" }, times: 50 })),
    };
  },
};

/** A command that says that it runs, and goes on for ever. */
function commandOf({ agent }: Tried, project: string): Turn {
  return { say: "I run it.", use: [agent.run(`touch ${project}/begun; tail -f /dev/null`)] };
}

type TurnOf = (tried: Tried, project: string) => Turn;

function endedBy(tried: Tried, signal: "SIGINT" | "SIGKILL", turnOf: TurnOf): Promise<Cell> {
  return inPlace(
    tried,
    (project) => storyOf(works(turnOf(tried, project))),
    async (place) => {
      await place.write(
        "task.yaml",
        JSON.stringify(checkedTask("false", { claude_options: { allowed_tools: ["Bash"] } })),
      );
      const { child, ended } = place.start([
        "run",
        "--config",
        "task.yaml",
        "--json-events",
        "--agent",
        tried.agent.choice,
      ]);
      const problem = await atWork(place, signal === "SIGKILL" && turnOf !== commandOf);
      if (problem) {
        child.kill("SIGTERM");
        return cell(false, "", `${problem}: ${lastWords((await ended).stderr)}`);
      }
      const before = (await processesOf(place.home)).length;
      const began = Date.now();
      process.kill(child.pid ?? 0, signal);
      const { code } = await ended;
      const seconds = (Date.now() - began) / 1000 + (await gone(place));
      const isRight = signal === "SIGKILL" || code === 3;
      return cell(isRight, `${before} processes, gone after ${seconds.toFixed(1)} s`, `exit ${code}`);
    },
  );
}

function gone({ home }: Place): Promise<number> {
  return allGone(home);
}

/** Undefined once the agent is at work. */
async function atWork({ project, model }: Place, isWaiting: boolean): Promise<string | undefined> {
  for (let waited = 0; waited < PATIENCE_SECONDS; waited += 0.1) {
    if (isWaiting ? model.asked.some(({ who }) => who === "executor") : existsSync(join(project, "begun")))
      return undefined;
    await sleep(100);
  }
  return "did not come to its work";
}
