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
      const write = (content: string) => tried.agent.write(`${project}/done.txt`, content);
      return storyOf(
        works({ say: `I think of a ${SECRET}.`, use: [write("not yet")] }),
        works({ say: "Now I know.", use: [write("ready")] }),
      );
    };
    return inPlace(tried, storyIn, async (place) => {
      const task = checkedTask("cat done.txt; grep -q ready done.txt || { echo LACKS-THE-WORD; exit 1; }");
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
          calls.length === 2 && calls.every((call) => call.includes("done.txt")),
          firstWord(calls),
          calls.join("; ") || "none",
        ),
        tokens: tokensCell(result?.usage.tokens),
        cost: costCell(result?.usage.cost_usd, stderr),
        start: cell(isDone && starts === 1, "", `started ${starts} times`),
      };
    });
  },
};

function firstWord([call = ""]: string[]): string {
  return call.split(":")[0] ?? "";
}

function tokensCell(tokens = 0): Cell {
  return cell(tokens === TOKENS, String(tokens), tokens === 0 ? "none reported" : `${tokens} reported`);
}

/** A cost of 0 would be a lie: no model is free. */
function costCell(cost: number | undefined, stderr: string): Cell {
  if (cost !== undefined && cost > 0) return cell(true, `$${cost.toFixed(4)}`, "");
  return cell(/unknown/i.test(stderr), "unknown, and e8 says so", `0, and e8 does not say that it is unknown`);
}
