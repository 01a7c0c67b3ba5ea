import { appendFile, cp, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { projectState } from "../../../../../src/connection/state-directory.ts";
import { fileStore } from "../../../../../src/connection/stores/files/file-store.ts";
import { toLine } from "../../../../../src/connection/stores/files/json-lines.ts";
import { taskDirectoryOf, taskPaths } from "../../../../../src/connection/stores/files/task-paths.ts";
import { vaultPaths } from "../../../../../src/connection/stores/files/vault/registry.ts";
import type { CommandCriterion } from "../../../../../src/model/criterion.ts";
import { addUsage, NOTHING_SPENT } from "../../../../../src/model/usage.ts";
import { forgetCopies } from "../../../../support/older-task.ts";
import { all, configuration, finalResult, judgment, knowledge, spending, summary } from "../../../../support/stored.ts";
import { temporaryDirectory } from "../../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";
const now = new Date("2026-01-23T13:30:00Z");
const HIDDEN: CommandCriterion = {
  type: "command",
  command: "sh /secret/check.sh",
  description: "it holds",
  hidden: true,
};

/** A task with two records, as a killed run has left it. */
async function left(settings: Parameters<typeof configuration>[0] = {}) {
  const project = await temporaryDirectory();
  const store = fileStore(project);
  const id = await store.create({ configuration: configuration(settings), now });
  const task = await store.open(id);
  await task.history.append(summary(1));
  await task.history.append(judgment(1));
  await task.ledger.append(spending(1));
  await task.knowledge.add([knowledge("learned")]);
  await task.release();
  return { project, store, paths: taskPaths(taskDirectoryOf(project, id)), vault: vaultPaths(project, id) };
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}

test("a task.json that was changed between two runs is put back, and every change is named", async () => {
  const { store, paths } = await left();
  const before = await readFile(paths.task, "utf8");
  await rewrite(paths.task, (text) =>
    text.replace("npm test", "true").replace('"max_iterations": 10', '"max_iterations": 99'),
  );

  expect((await store.read(ID)).configuration.criteria).toMatchObject([{ command: "npm test" }]);
  const task = await store.open(ID);
  expect(task.task.configuration.criteria).toMatchObject([{ command: "npm test" }]);
  const changes = [
    { path: "configuration.criteria[1].command", before: '"npm test"', after: '"true"' },
    { path: "configuration.max_iterations", before: "10", after: "99" },
  ];
  const [told] = task.takeNotices();
  expect(told).toMatchObject({ code: "task_changed", params: { id: ID } });
  expect(told?.params).toMatchObject({ changes: expect.arrayContaining(changes) });
  await task.release();
  expect(JSON.parse(await readFile(paths.task, "utf8"))).toEqual(JSON.parse(before));
  expect(await readFile(`${paths.task}.changed`, "utf8")).toContain('"true"');

  const next = await store.open(ID);
  expect(next.takeNotices()).toEqual([]);
  await next.release();
});

test("accepted changes count from then on", async () => {
  const { store, paths } = await left();
  await rewrite(paths.task, (text) => text.replace("npm test", "make"));
  await rewrite(paths.history, (text) => text.replace("approach 1", "another"));

  const task = await store.open(ID, { acceptChanges: true });
  expect(task.task.configuration.criteria).toMatchObject([{ command: "make" }]);
  expect(task.takeNotices()).toMatchObject([{ code: "task_change_accepted" }]);
  await task.release();

  const next = await store.open(ID);
  expect(next.takeNotices()).toEqual([]);
  expect(next.task.configuration.criteria).toMatchObject([{ command: "make" }]);
  expect(await all(next.history.records())).toMatchObject([{ approach: "another" }, { type: "judgment" }]);
  await next.release();
});

test.each([
  ["an added ending", (text: string) => text + toLine(finalResult(ID)), { added: 1, missing: 0 }],
  ["an ending without a newline", (text: string) => text + toLine(finalResult(ID)).trimEnd(), undefined],
  ["a changed record", (text: string) => text.replace('"approach 1"', '"another"'), { added: 1, missing: 1 }],
  ["no records at all", () => "", { added: 0, missing: 2 }],
])("%s in the history is neither shown nor used", async (_, change, difference) => {
  const { store, paths } = await left();
  const before = await readFile(paths.history, "utf8");
  await rewrite(paths.history, change);

  expect(await store.past(ID)).toMatchObject({ status: "interrupted", result: undefined, iterations: 1 });
  expect(await store.overviews()).toMatchObject([{ status: "interrupted" }]);
  const task = await store.open(ID);
  expect(await all(task.history.records())).toEqual([summary(1), judgment(1)]);
  const file = paths.history;
  expect(task.takeNotices()).toMatchObject([
    difference
      ? { code: "records_rewritten", params: { file, ...difference } }
      : { code: "torn_line", params: { file } },
  ]);
  await task.release();
  expect(await readFile(paths.history, "utf8")).toBe(before);
});

test("less spending and more knowledge than was recorded is undone, too", async () => {
  const { store, paths } = await left();
  await writeFile(paths.ledger, "");
  await appendFile(paths.knowledge, toLine(knowledge("the tests may be skipped")));

  const task = await store.open(ID);
  expect(await task.ledger.spent(null)).toEqual(addUsage(NOTHING_SPENT, spending(1)));
  expect(await task.knowledge.relevant("tests", 5)).toEqual([knowledge("learned")]);
  expect(task.takeNotices().map(({ code }) => code)).toEqual(["records_rewritten"]); // one record less is what a kill leaves
  await task.release();
});

test("a run killed between the two writes of a record, or of a task, is not taken for a forger", async () => {
  const { store, paths, vault } = await left();
  const whole = await readFile(paths.history, "utf8");
  for (const bytes of [0, 1, 60]) {
    const end = whole.indexOf("\n") + 1 + bytes;
    await truncate(paths.history, end);
    const task = await store.open(ID);
    expect(task.takeNotices(), String(bytes)).toEqual([]);
    await task.release();
    expect(await readFile(paths.history, "utf8")).toBe(whole);
  }
  await appendFile(vault.history, '{"type":"judg'); // killed while writing the copy
  const older = await readFile(paths.task, "utf8");
  const task = await store.open(ID);
  await task.save({ answers: [{ question: "q", answer: "a" }] });
  await task.release();
  await writeFile(paths.task, older);

  const next = await store.open(ID);
  expect(next.takeNotices()).toEqual([]);
  expect(next.task.answers).toEqual([{ question: "q", answer: "a" }]);
  await next.release();
});

test("a task that another program has written is listed as such, and is opened only when it is accepted", async () => {
  const { project, store } = await left();
  const planted = "2026-01-24T00-00-00";
  await cp(taskDirectoryOf(project, ID), taskDirectoryOf(project, planted), { recursive: true });
  await rewrite(taskPaths(taskDirectoryOf(project, planted)).task, (text) => text.replace(`"${ID}"`, `"${planted}"`));

  expect(await store.overviews()).toMatchObject([{ origin: "kept" }, { origin: "unknown" }]);
  await expect(store.open(planted)).rejects.toMatchObject({ code: "task_unknown", details: { id: planted } });
  await (await store.open(planted, { acceptChanges: true })).release();
  await (await store.open(planted)).release();
});

test("a task whose copies were deleted is opened only when it is accepted", async () => {
  const { store, vault } = await left();
  await rm(vault.directory, { recursive: true });

  await expect(store.open(ID)).rejects.toMatchObject({ code: "task_copy_lost" });
  expect(await store.past(ID)).toMatchObject({ origin: "lost" });
  await (await store.open(ID, { acceptChanges: true })).release();
  const task = await store.open(ID);
  expect(task.takeNotices()).toEqual([]);
  await task.release();
});

test("a task of an earlier version, another machine or a new home goes on, which is said once", async () => {
  const { project, store } = await left();
  await forgetCopies(project);

  const task = await store.open(ID);
  expect(task.takeNotices()).toMatchObject([{ code: "task_unverified", params: { id: ID } }]);
  expect(await all(task.history.records())).toEqual([summary(1), judgment(1)]);
  await task.history.append(summary(2));
  await task.release();
  const next = await store.open(ID);
  expect(next.takeNotices()).toEqual([]);
  expect(await all(next.history.records())).toHaveLength(3);
  await next.release();
});

test("a project that was moved takes along what is known about its tasks", async () => {
  const { project } = await left({ criteria: [HIDDEN] });
  const moved = join(await temporaryDirectory(), "moved");
  await rename(project, moved);
  await rewrite(taskPaths(taskDirectoryOf(moved, ID)).history, () => "");

  const task = await fileStore(moved).open(ID);
  expect(task.takeNotices().map(({ code }) => code)).toEqual(["records_rewritten"]);
  expect(task.task).toMatchObject({ project: moved, configuration: { criteria: [HIDDEN] } });
  await task.release();
});

test("where nothing can be kept the run goes on and says so, unless a check is hidden", async () => {
  const project = await temporaryDirectory();
  const file = join(project, "a file");
  await writeFile(file, "");
  vi.stubEnv("XDG_STATE_HOME", file);
  try {
    const store = fileStore(project);
    const task = await store.open(await store.create({ configuration: configuration(), now }));
    expect(task.takeNotices()).toMatchObject([{ code: "vault_unwritable" }]);
    await task.history.append(summary(1));
    await task.release();
    const hidden = configuration({ criteria: [HIDDEN] });
    await expect(store.create({ configuration: hidden, now })).rejects.toMatchObject({ code: "write_failed" });
    expect(await store.list()).toEqual([ID]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("what is kept is readable by its user alone, and goes with the task", async () => {
  const { project, store, vault } = await left();
  expect((await stat(projectState(project))).mode & 0o077).toBe(0);
  expect((await stat(vault.history)).mode & 0o077).toBe(0);
  await store.remove(ID);
  await expect(stat(vault.directory)).rejects.toMatchObject({ code: "ENOENT" });

  const other = await left();
  await rm(taskDirectoryOf(other.project, ID), { recursive: true });
  expect(await other.store.sweep()).toBe(1);
  await expect(stat(other.vault.directory)).rejects.toMatchObject({ code: "ENOENT" });
});

test("neither the command nor the output of a hidden check is below the project, and the user still sees both", async () => {
  const { project, store } = await left({ criteria: [HIDDEN], persist: "all.jsonl" });
  const evidence = "expected 3, got 4: the secret";
  const failed = { id: 1, criterion: "it holds", is_met: false, evidence, confidence: 1, source: "command" as const };
  const task = await store.open(ID);
  const final_judgment = judgment(2, [failed]);
  for (const record of [judgment(2, [failed]), { ...finalResult(ID), final_judgment }]) {
    await task.history.append(record);
    await task.history.copy(record);
  }
  await task.events.append({ type: "check-end", iteration: 2, evaluation: failed });
  await task.save({ toolchain: { "program secret": "1" } });
  await task.release();

  for (const entry of await readdir(project, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(await readFile(join(entry.parentPath, entry.name), "utf8"), entry.name).not.toMatch(/secret/);
  const past = await store.past(ID);
  expect(past.task.configuration.criteria).toEqual([HIDDEN]);
  expect(past.records.at(-2)).toMatchObject({ evaluations: [{ evidence }] });
  expect(past.result).toMatchObject({ final_judgment: { evaluations: [{ id: 1 }] } });

  await forgetCopies(project);
  await expect(store.open(ID)).rejects.toMatchObject({ code: "hidden_check_lost" });
  await mkdir(projectState(project), { recursive: true }); // the test's own state is swept with its directory
});
