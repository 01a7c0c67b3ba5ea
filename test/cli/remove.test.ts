import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { byteCount } from "../../src/cli/render/amounts.ts";
import { fileStore } from "../../src/connection/stores/files/file-store.ts";
import { inProcess, quickSandbox } from "../support/in-process.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { summary } from "../support/stored.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";
import { ended, store } from "./support.ts";

const OLD = "2026-01-20T10-00-00";
const RESUMED = "2026-01-21T10-00-00";
const BROKEN = "2026-01-22T10-00-00";
const YOUNG = "2026-01-23T10-00-00";
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Tasks that ended 40 days and one day ago, one that was resumed lately, and one that cannot be read. */
async function project<T extends Sandbox>(box: T): Promise<T> {
  const made = { task: { created_at: daysAgo(50) } };
  await store(box.project, OLD, { ...made, records: [ended(OLD, { timestamp: daysAgo(40) })] });
  await store(box.project, RESUMED, { ...made, records: [{ ...summary(1), timestamp: daysAgo(2) }] });
  await store(box.project, BROKEN);
  await writeFile(join(box.project, ".e8", "tasks", BROKEN, "task.json"), "{ torn");
  const failed = { status: "error", stop_reason: "error", timestamp: daysAgo(1) } as const;
  await store(box.project, YOUNG, { ...made, records: [ended(YOUNG, failed)] });
  await box.write(".e8/knowledge.jsonl", "{}\n");
  await box.write(".e8/history.jsonl", "{}\n");
  return box;
}

describe("e8 rm", () => {
  test("removes the named tasks, each once, says what it freed, and leaves knowledge and copies alone", async () => {
    const box = await project(await quickSandbox());
    const { size } = fileStore(box.project);
    const bytes = (await size(OLD)) + (await size(BROKEN));

    const { code, stdout, stderr } = await box.e8(["rm", OLD, "2026-01-20", BROKEN]);

    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${OLD}  .*\\n${BROKEN}  .*\\n$`));
    expect(stderr).toContain(`Removed 2 tasks: ${byteCount(bytes)} freed.`);
    expect(await box.tasks()).toEqual([RESUMED, YOUNG]);
    expect((await readdir(join(box.project, ".e8"))).sort()).toEqual(["history.jsonl", "knowledge.jsonl", "tasks"]);
  });

  test("removes nothing where one of them is running or unknown, and where it is only asked what it would do", async () => {
    const box = await project(await quickSandbox());
    const all = await box.tasks();
    const running = await fileStore(box.project).open(YOUNG);

    expect(await box.e8(["rm", OLD, YOUNG])).toMatchObject({ code: 2, stderr: expect.stringContaining(YOUNG) });
    expect((await box.e8(["rm", OLD, "1999"])).code).toBe(2);
    expect((await box.e8(["rm", OLD, "1999-01-01T00-00-00"])).stderr).toContain("There is no task 1999-01-01T00-00-00");
    const dry = await box.e8(["rm", OLD, "--dry-run", "--json"]);
    expect(JSON.parse(dry.stdout)).toEqual([{ task_id: OLD, bytes: expect.any(Number) }]);
    expect(dry.stderr).toContain("Nothing was removed.");

    expect(await box.tasks()).toEqual(all);
    await running.release();
  });

  test.skipIf(!hasTmux)("asks at a terminal, and takes a no for a no", async () => {
    const box = await project(await sandbox());

    const no = await openTerminal(box, ["rm", OLD]);
    await no.shows("Remove 1 task with all records");
    await no.press("Enter");
    await no.shows("Nothing was removed.");
    await no.shows("exit code 3");
    const yes = await openTerminal(box, ["rm", OLD]);
    await yes.shows("Remove 1 task with all records");
    await yes.type("y");
    await yes.shows("exit code 0");
    const unasked = await openTerminal(box, ["rm", YOUNG, "--yes"]);
    await unasked.shows("exit code 0");

    expect(await box.tasks()).toEqual([RESUMED, BROKEN]);
  });
});

describe("e8 prune", () => {
  test("removes what was last active that long ago, whenever it began", async () => {
    const box = await project(await quickSandbox());
    const { code, stdout, stderr } = await box.e8(["prune", "--older-than", "30d"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${OLD}  `));
    expect(await box.tasks()).toEqual([RESUMED, BROKEN, YOUNG]);
    expect((await box.e8(["prune", "--older-than", "30d"])).stderr).toContain("No such task is that old.");
  });

  test("by status, and never what is running", async () => {
    const box = await project(await quickSandbox());
    const running = await fileStore(box.project).open(RESUMED);
    const json = async (...more: string[]) => {
      const { stdout } = await box.e8(["prune", "--older-than", "1h", "--json", "--dry-run", ...more]);
      return JSON.parse(stdout).map(({ task_id }: { task_id: string }) => task_id);
    };
    expect(await json()).toEqual([OLD, YOUNG]);
    expect(await json("--status", "completed")).toEqual([OLD]);
    expect(await json("--status", "completed", "--status", "error")).toEqual([OLD, YOUNG]);
    await running.release();
    expect(await json("--status", "interrupted")).toEqual([RESUMED]);
  });

  test.each([
    ["--older-than", "soon"],
    ["--older-than", "30"],
    ["--older-than", "30d", "--status", "running"],
  ])("refuses %j %j", async (...args) => {
    const box = inProcess(await sandbox());
    expect((await box.e8(["prune", ...args])).code).toBe(2);
  });

  test("needs an age", async () => {
    const box = await quickSandbox();
    expect((await box.e8(["prune"])).code).toBe(2);
  });
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [98_400, "98 kB"],
  [999_499, "999 kB"],
  [999_600, "1.0 MB"],
  [12_345_678_901, "12 GB"],
])("%i bytes are %s", (bytes, text) => expect(byteCount(bytes)).toBe(text));
