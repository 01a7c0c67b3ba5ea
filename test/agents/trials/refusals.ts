import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../../src/connection/agents/scripted/model/story.ts";
import { inPlace, linesOf, type Place, type Running, type Tried } from "../place.ts";
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
      wrong_key: await unauthorized(tried, () => ({})),
      no_key: await (tried.agent.keyless
        ? withoutKey(tried, tried.agent.keyless)
        : unauthorized(tried, () => withoutKeys(tried))),
    };
  },
};

function withoutKeys({ agent }: Tried): Record<string, undefined> {
  return Object.fromEntries(agent.keys.map((key) => [key, undefined]));
}

/** Without any setting it takes a model of its own, which no server of ours plays: e8 waits for the network, and says so. */
async function withoutKey(tried: Tried, keyless: (url: string) => Record<string, string>): Promise<Cell> {
  const refused = await unauthorized(tried, keyless);
  const waits = await inPlace(
    tried,
    () => storyOf(),
    async (place) => {
      const { waiting, stderr } = await firstWait(place, withoutKeys(tried));
      const note = "With no setting at all it takes a free model of its own, and offline e8 waits for the network";
      return cell(waiting?.code === "network", note, `${waiting?.code ?? "no wait"}: ${lastWords(stderr)}`);
    },
  );
  const note = `${refused.note}. ${waits.note}`;
  return cell(refused.is_seen && waits.is_seen, note, note);
}

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
      const { waiting, stderr } = await firstWait(place, tried.agent.subscription);
      if (!waiting) return cell(false, "", `no wait within ${PATIENCE_SECONDS} s: ${lastWords(stderr)}`);
      const minutes = Math.round((waiting.until / 1000 - resets_at) / 60);
      const when =
        Math.abs(minutes) <= 1
          ? "until the reset"
          : "the agent does not tell of the reset, so e8 asks again in growing pauses";
      return cell(
        waiting.code === "usage_limit" || waiting.code === "rate_limit",
        `${waiting.code}, ${when}`,
        waiting.code,
      );
    },
  );
}

/** What the run waits for first. It is ended then. */
async function firstWait(place: Place, more: Record<string, string | undefined> = {}) {
  await place.write("task.yaml", JSON.stringify(checkedTask("false")));
  const running = place.start(["run", "--config", "task.yaml", "--json-events", "--agent", place.agent.choice], more);
  await firstLineWith(running, '"waiting"');
  running.child.kill("SIGINT");
  const { events, stderr } = await running.ended;
  return { waiting: eventsOf(events, "waiting")[0], stderr };
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
  const fault: Fault = { status: 429, retry_after: 3 };
  const storyIn = (project: string) => {
    const use = [tried.agent.write(`${project}/done.txt`, "done")];
    return storyOf({ who: "executor", turns: [{ fault }, { say: "I write.", use }, report()] });
  };
  return inPlace(tried, storyIn, async (place) => {
    const { code, events, stderr } = await place.run(checkedTask("test -f done.txt"));
    const who = eventsOf(events, "waiting").length > 0 ? "e8 asked again" : "the agent asked again";
    return cell(code === 0, who, `exit ${code}: ${lastWords(stderr)}`);
  });
}

function unauthorized(tried: Tried, variables: (url: string) => Record<string, string | undefined>): Promise<Cell> {
  const story = storyOf({ who: "executor", repeat: true, turns: [{ fault: { status: 401 }, times: 100 }] });
  return inPlace(
    tried,
    () => story,
    async (place) => {
      await place.write("task.yaml", JSON.stringify(checkedTask("false", { max_iterations: 1 })));
      const args = ["run", "--config", "task.yaml", "--agent", tried.agent.choice];
      const { code, stdout, stderr } = await place.start(args, variables(place.model.url)).ended;
      const said = linesOf(stdout + stderr).find((line) => /log(ged)? ?in|key|auth|credential/i.test(line)) ?? "";
      return cell(code === 2 && said !== "", said.trim(), `exit ${code}: ${said.trim() || lastWords(stdout + stderr)}`);
    },
  );
}
