import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../../src/connection/agents/scripted/model/story.ts";
import { inPlace, linesOf, type Running, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, eventsOf, lastWords, report, storyOf } from "./common.ts";

/** What the model's side refuses: a used-up account, a wrong key, no key. */
export const refusals: Trial<"limit" | "pause" | "wrong_key" | "no_key"> = {
  name: "refusals",
  rows: {
    limit: "a used-up account, reset in two hours: e8 waits, and says until when",
    pause: "429 and retry-after 3: the answer comes",
    wrong_key: "a key that is refused: a sentence that says so, exit 2",
    no_key: "not logged in: a sentence that says so, exit 2",
  },
  async run(tried) {
    return {
      limit: await limited(tried),
      pause: await paused(tried),
      wrong_key: await unauthorized(tried, { status: 401 }, {}),
      no_key: await unauthorized(
        tried,
        { status: 401 },
        Object.fromEntries(tried.agent.keys.map((key) => [key, undefined])),
      ),
    };
  },
};

const TWO_HOURS = 7200;
/** A wait that has not been told of by then is not told of. */
const PATIENCE_SECONDS = 150;

function limited(tried: Tried): Promise<Cell> {
  const resets_at = Math.floor(Date.now() / 1000) + TWO_HOURS;
  const story = storyOf({
    who: "executor",
    repeat: true,
    turns: [{ fault: tried.agent.limit(resets_at), times: 100 }],
  });
  return inPlace(
    tried,
    () => story,
    async (place) => {
      await place.write("task.yaml", JSON.stringify(checkedTask("false")));
      const args = ["run", "--config", "task.yaml", "--json-events", "--agent", tried.agent.choice];
      const running = place.start(args, tried.agent.subscription);
      await firstLineWith(running, '"waiting"');
      running.child.kill("SIGINT");
      const { events, stderr } = await running.ended;
      const [waiting] = eventsOf(events, "waiting");
      if (!waiting) return cell(false, "", `no wait within ${PATIENCE_SECONDS} s: ${lastWords(stderr)}`);
      const minutes = Math.round((waiting.until / 1000 - resets_at) / 60);
      const when =
        Math.abs(minutes) <= 1
          ? "until the reset"
          : `asks again at ${minutes} minutes from the reset, which it was not told`;
      return cell(
        waiting.code === "usage_limit" || waiting.code === "rate_limit",
        `${waiting.code}, ${when}`,
        waiting.code,
      );
    },
  );
}

/** Resolves when such a line was printed, when the program has ended, or when it takes too long. */
async function firstLineWith({ child, ended }: Running, words: string): Promise<void> {
  let isOver = false;
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  void ended.then(() => {
    isOver = true;
  });
  for (let waited = 0; waited < PATIENCE_SECONDS && !isOver && !printed.includes(words); waited += 0.1)
    await sleep(100);
}

function paused(tried: Tried): Promise<Cell> {
  const turns = [{ fault: { status: 429, retry_after: 3 } satisfies Fault }, report()];
  return inPlace(
    tried,
    () => storyOf({ who: "executor", turns }),
    async (place) => {
      const { code, events, stderr } = await place.run(checkedTask("true", { if_green: "work" }));
      const who = eventsOf(events, "waiting").length > 0 ? "e8 asked again" : "the agent asked again";
      return cell(code === 0, who, `exit ${code}: ${lastWords(stderr)}`);
    },
  );
}

function unauthorized(tried: Tried, fault: Fault, more: Record<string, string | undefined>): Promise<Cell> {
  const story = storyOf({ who: "executor", repeat: true, turns: [{ fault, times: 100 }] });
  return inPlace(
    tried,
    () => story,
    async (place) => {
      await place.write("task.yaml", JSON.stringify(checkedTask("false", { max_iterations: 1 })));
      const args = ["run", "--config", "task.yaml", "--agent", tried.agent.choice];
      const { code, stdout, stderr } = await place.start(args, more).ended;
      const said = linesOf(stdout + stderr).find((line) => /log(ged)? ?in|key|auth|credential/i.test(line)) ?? "";
      return cell(code === 2 && said !== "", said.trim(), `exit ${code}: ${said.trim() || lastWords(stdout + stderr)}`);
    },
  );
}
