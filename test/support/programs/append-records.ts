import { openJournal } from "../../../src/connection/stores/files/journal.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { Spending } from "../../../src/model/usage.ts";

/** Appends to a ledger until it has the asked number of lines or cannot go on, and says how far it came. */
const [path = "", count = "0"] = process.argv.slice(2);
const journal = await openJournal(path, Spending, () => {});
let appended = 0;

try {
  for (; appended < Number(count); appended += 1) {
    const place = { type: "spending", spender: "checks", iteration: appended, timestamp: "x".repeat(100) } as const;
    await journal.append({ ...place, tokens: 0, cost_usd: 0, seconds: 1 });
    if (appended === 0) console.log(JSON.stringify({ begun: true }));
  }
  console.log(JSON.stringify({ appended }));
} catch (error) {
  if (!(error instanceof E8Error)) throw error;
  console.log(JSON.stringify({ appended, code: error.code }));
}
