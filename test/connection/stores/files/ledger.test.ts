import { join } from "node:path";
import { expect, test } from "vitest";
import { openLedger } from "../../../../src/connection/stores/files/ledger.ts";
import { all, spending } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("what was spent is kept line by line and is there after a resume", async () => {
  const path = join(await temporaryDirectory(), "spending.jsonl");
  const ledger = await openLedger(path, () => {});
  await ledger.append(spending(1));
  await ledger.append(spending(1));
  await ledger.close();

  const resumed = await openLedger(path, () => {});
  await resumed.append(spending(2));
  expect(await all(resumed.entries())).toEqual([spending(1), spending(1), spending(2)]);
  await resumed.close();
});
