import { openJournal } from "../../../src/connection/stores/files/journal.ts";
import { ExecutionSummary } from "../../../src/model/records.ts";
import { summary } from "../stored.ts";

/** Appends failures, each of its own kind, to a history. */
const [path = "", count = "0"] = process.argv.slice(2);
const journal = await openJournal(path, ExecutionSummary, () => {});

for (let iteration = 1; iteration <= Number(count); iteration += 1) {
  await journal.append(summary(iteration, { result: "failure" }));
  if (iteration === 1) console.log(JSON.stringify({ begun: true }));
}
