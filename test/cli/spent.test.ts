import { expect, test } from "vitest";
import { spentInAll, type Usage } from "../../src/model/usage.ts";
import { quickSandbox } from "../support/in-process.ts";
import { spending, summary } from "../support/stored.ts";
import { ended, judged, type StoredTask, store } from "./support.ts";

const ID = "2026-01-23T10-00-00";
const COUNTED: Usage = { tokens: 1200, cost_usd: 2.5, seconds: 60 };
const EARLIER = "2026-01-23T10:30:00.000Z";
const LATER = "2026-01-23T11:30:00.000Z";

const at = (timestamp: string, iteration = 1) => ({ ...spending(iteration), timestamp });
const cancelled = ended(ID, { status: "cancelled", stop_reason: "cancelled", usage: COUNTED });
const long = Array.from({ length: 30 }, (_, index) =>
  summary(index + 2, { reason: "a long story ".repeat(300) }),
).flatMap((one) => [one, judged(one.iteration, [false])]);

const PASTS: Record<string, StoredTask> = {
  "cut off in its first run": { records: [summary(1)], spending: [at(EARLIER), at(LATER)] },
  "cut off before anything was recorded": { spending: [at(EARLIER)] },
  "cut off in its second run": { records: [summary(1), cancelled, summary(2)], spending: [at(EARLIER), at(LATER, 2)] },
  "cut off in its second run, with an ending far back": {
    records: [summary(1), cancelled, ...long],
    spending: [at(EARLIER), at(LATER, 2)],
  },
  "cut off before the second run's first record": {
    records: [summary(1), judged(1, [false]), cancelled],
    spending: [at(EARLIER), at(LATER, 2)],
  },
  "ended, with time that has no line of its own": { records: [summary(1), cancelled], spending: [at(EARLIER)] },
  "ended, with its lines lost": { records: [summary(1), cancelled] },
  "ended, with lines for more than it counted": {
    records: [summary(1), cancelled],
    spending: [{ ...at(EARLIER), tokens: 5000 }],
  },
};

test.each(Object.entries(PASTS))("list, show and query tell of the same spending: %s", async (_, past) => {
  const { e8, project } = await quickSandbox();
  await store(project, ID, past);
  const ending = past.records?.findLast((one) => one.type === "final_result");
  const counted = spentInAll(past.spending ?? [], ending);

  const answers = await Promise.all([
    e8(["list", "--json"]),
    e8(["show", ID, "--json"]),
    e8(["query", "--json", "select tokens, cost_usd, seconds from tasks"]),
  ]);

  const [list, shown, queried] = answers.map(({ stdout }) => JSON.parse(stdout));
  expect({ list: list[0].usage, show: shown.usage, query: queried[0] }).toEqual({
    list: counted,
    show: counted,
    query: counted,
  });
});
