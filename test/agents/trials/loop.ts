import { NOTHING_SPENT, type Usage } from "../../../src/model/usage.ts";
import { inPlace } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, eventsOf, lastWords, storyOf, works } from "./common.ts";

const SECRET = "zebra-7341";
/** Two answers of two requests each, 100 tokens in and 20 out for each request. */
const TOKENS = 480;

/** Two iterations: the first one writes the wrong thing, the second one has read why. */
export const loop: Trial<"file" | "feedback" | "fresh" | "events" | "tokens" | "cost" | "start"> = {
  name: "loop",
  rows: {
    file: "writes a file with its own tool",
    feedback: "a failed check is in the next prompt",
    fresh: "every iteration has a fresh context",
    events: "its tool calls are events",
    tokens: `tokens (${TOKENS} were used)`,
    cost: "cost",
    start: "the second answer needs no new process",
  },
  async run(tried) {
    const storyIn = (project: string) => {
      // Some agents do not overwrite a file that they have not read in the same context.
      const write = (name: string) => tried.agent.write(`${project}/${name}.txt`, "ready");
      return storyOf(
        works({ say: `I think of a ${SECRET}.`, use: [write("draft")] }),
        works({ say: "Now I know.", use: [write("done")] }),
      );
    };
    return inPlace(tried, storyIn, async (place) => {
      const task = checkedTask("grep -q ready done.txt || { echo LACKS-THE-WORD; exit 1; }");
      const { code, events, result, stderr } = await place.run(task);
      const openings = place.model.asked.filter(({ who, replies }) => who === "executor" && replies === 0);
      const second = openings[1]?.body ?? "";
      const calls = eventsOf(events, "tool-call").map(({ tool, detail }) => `${tool}: ${detail}`);
      const starts = (await place.starts()).length;
      const told = `exit ${code}, ${result?.iterations_used ?? 0} iterations: ${lastWords(stderr)}`;
      const isDone = code === 0 && result?.iterations_used === 2;
      return {
        file: cell(isDone && (await place.read("done.txt")) === "ready", tried.agent.write("", "").tool, told),
        feedback: cell(second.includes("LACKS-THE-WORD"), "", `not in the second prompt; ${told}`),
        fresh: cell(
          second !== "" && !second.includes(SECRET),
          "",
          second === "" ? told : "the first conversation came along",
        ),
        events: cell(
          calls.length === 2 && calls.every((call) => call.includes(".txt")),
          firstWord(calls),
          calls.join("; ") || "none",
        ),
        tokens: tokensCell(result?.usage ?? NOTHING_SPENT),
        cost: costCell(result?.usage),
        start: cell(isDone && starts === 1, "", `started ${starts} times`),
      };
    });
  },
};

function firstWord([call = ""]: string[]): string {
  return call.split(":")[0] ?? "";
}

/** An agent that reports less than it has used must not be believed. */
function tokensCell({ tokens, unknown = [] }: Usage): Cell {
  const note = unknown.includes("tokens") ? `at least ${tokens}, and e8 says so` : String(tokens);
  return cell(tokens === TOKENS || unknown.includes("tokens"), note, `${tokens} reported`);
}

/** A cost of 0 would be a lie: no model is free. */
function costCell(usage: Usage | undefined): Cell {
  const { cost_usd = 0, unknown = [] } = usage ?? {};
  if (cost_usd > 0) return cell(true, `$${cost_usd.toFixed(4)}`, "");
  return cell(unknown.includes("cost"), "unknown", `0, and e8 does not say that it is unknown`);
}
