import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../support/program.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { spending, summary } from "../support/stored.ts";
import { ended, judged, store } from "./support.ts";

const ID = "2026-01-23T10-00-00";
const USAGE = { tokens: 30, cost_usd: 1.5, seconds: 4 };
const EXHAUSTED = { status: "max_iterations", stop_reason: "max_iterations", usage: USAGE } as const;

/** What list, show and query say of the one task. */
async function said({ e8 }: Sandbox): Promise<unknown[]> {
  const json = async (args: string[]) => JSON.parse((await e8([...args, "--json"])).stdout);
  const columns = "status, stop_reason, {tokens: tokens, cost_usd: cost_usd, seconds: seconds} as usage";
  const [[listed], shown, [queried]] = await Promise.all([
    json(["list"]),
    json(["show", ID]),
    json(["query", `select ${columns} from tasks`]),
  ]);
  const [status, stop_reason, usage] = [listed.status, listed.stop_reason, listed.usage];
  return [{ status, stop_reason, usage }, { status: shown.status, stop_reason, usage: shown.usage }, queried];
}

/** A run took the task after its last ending and was killed. */
async function leaveLock(directory: string): Promise<void> {
  const run = startProgram("hold-lock", join(directory, "lock"), ID);
  await run.next();
  await run.kill("SIGKILL");
}

test("a resumed run that was killed before its first record is cut off, whatever the run before came to", async () => {
  const box = await sandbox();
  const since = { ...spending(2), timestamp: new Date().toISOString() };
  const records = [summary(1), judged(1, [false]), ended(ID, EXHAUSTED)];
  await leaveLock(await store(box.project, ID, { records, spending: [spending(1), since] }));

  const usage = { tokens: 40, cost_usd: 2, seconds: 5 };
  const cutOff = { status: "interrupted", stop_reason: null, usage };
  expect(await said(box)).toEqual([cutOff, cutOff, cutOff]);
  const { stdout } = await box.e8(["show", ID]);
  expect(stdout).toContain(`e8 run --resume ${ID}`);
});

test("a run that was killed after its ending was written has ended", async () => {
  const box = await sandbox();
  const timestamp = new Date(Date.now() + 60_000).toISOString();
  await leaveLock(await store(box.project, ID, { records: [summary(1), ended(ID, { ...EXHAUSTED, timestamp })] }));

  const { status, stop_reason } = EXHAUSTED;
  const over = { status, stop_reason, usage: USAGE };
  expect(await said(box)).toEqual([over, over, over]);
});

test("what is completed stays so, however the look at it ended", async () => {
  const box = await sandbox();
  await leaveLock(await store(box.project, ID, { records: [summary(1), ended(ID, { usage: USAGE })] }));

  const completed = { status: "completed", stop_reason: "criteria_met", usage: USAGE };
  expect(await said(box)).toEqual([completed, completed, completed]);
});

test("a task that went on after an ending has spent the same for the list as for everybody else", async () => {
  const box = await sandbox();
  const records = [summary(1), judged(1, [false]), ended(ID, EXHAUSTED), summary(2), judged(2, [false])];
  await store(box.project, ID, { records, spending: [{ ...spending(2), timestamp: new Date().toISOString() }] });

  const cutOff = { status: "interrupted", stop_reason: null, usage: { tokens: 40, cost_usd: 2, seconds: 5 } };
  expect(await said(box)).toEqual([cutOff, cutOff, cutOff]);
});
