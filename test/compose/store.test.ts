import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTask, onlyAsking, onlyRunning, storeOf } from "../../src/compose/store.ts";
import { IntakeResult } from "../../src/model/roles.ts";
import { store } from "../cli/support.ts";
import { configuration } from "../support/stored.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const ID = "2026-01-23T13-30-00";

test("the latest task is the one that began last, also when it cannot be read", async () => {
  const project = await temporaryDirectory();
  const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };
  for (const _ of Array.from({ length: 10 })) await storeOf(project).create(request);
  expect(await findTask(project)).toBe(`${ID}-10`);

  await mkdir(join(project, ".e8", "tasks", `${ID}-11`));
  await writeFile(join(project, ".e8", "tasks", `${ID}-11`, "task.json"), "{ broken");
  expect(await findTask(project)).toBe(`${ID}-11`);
});

test("a project without tasks has no latest one, and neither has a project that is missing", async () => {
  const project = await temporaryDirectory();
  await expect(findTask(project)).rejects.toMatchObject({ code: "no_tasks", details: { directory: project } });
  await expect(findTask(join(project, "missing"))).rejects.toMatchObject({ code: "project_missing" });
});

describe("a task is found", () => {
  const EARLY = "2026-01-23T09-30-00";
  const LATE = "2026-01-24T13-30-00";

  async function three(): Promise<string> {
    const project = await temporaryDirectory();
    for (const [id, task] of [
      [EARLY, "one"],
      [ID, `two${"x".repeat(100)}\nlines`],
      [LATE, "three"],
    ] as const)
      await store(project, id, { configuration: { task } });
    return project;
  }

  test("by its id, by a beginning or an end that no other has, and as the latest", async () => {
    const project = await three();
    expect(await findTask(project, ID)).toBe(ID);
    expect(await findTask(project, "2026-01-24")).toBe(LATE);
    expect(await findTask(project, "09-30-00")).toBe(EARLY);
    expect(await findTask(project, "latest")).toBe(LATE);
  });

  test("not where several fit: they are named, oldest first", async () => {
    const project = await three();
    const candidates = [
      { id: EARLY, task: "one" },
      { id: ID, task: `two${"x".repeat(57)}…` },
    ];
    await expect(findTask(project, "2026-01-23")).rejects.toMatchObject({
      code: "task_ambiguous",
      details: { id: "2026-01-23", candidates },
    });
    await expect(findTask(project, "13-30-00")).rejects.toMatchObject({ code: "task_ambiguous" });
  });

  test("not where none fits, and a whole id never means a task that only begins alike", async () => {
    const project = await temporaryDirectory();
    await store(project, `${ID}-2`);
    await expect(findTask(project, "1999")).rejects.toMatchObject({ code: "task_not_found" });
    await expect(findTask(project, "../..")).rejects.toMatchObject({ code: "task_id_invalid" });
    expect(await findTask(project, ID)).toBe(ID);
    expect(await findTask(project, ID.slice(0, -1))).toBe(`${ID}-2`);
  });
});

describe("the only task that a command can mean", () => {
  const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };

  test("is the one that runs; without any, or with several, it says so", async () => {
    const project = await temporaryDirectory();
    const tasks = storeOf(project);
    for (const _ of [1, 2, 3]) await tasks.create(request);
    await expect(onlyRunning(project)).rejects.toMatchObject({ code: "nothing_running" });

    const second = await tasks.open(`${ID}-2`);
    expect(await onlyRunning(project)).toBe(`${ID}-2`);
    const third = await tasks.open(`${ID}-3`);
    const candidates = [{ id: `${ID}-2` }, { id: `${ID}-3` }];
    await expect(onlyRunning(project)).rejects.toMatchObject({ code: "task_ambiguous", details: { candidates } });
    for (const one of [second, third]) await one.release();
  });

  test("is the one with open questions that does not run", async () => {
    const project = await temporaryDirectory();
    const questions = [{ question: "which?", context: "", suggested_answers: [] }];
    const intake = { status: "needs_clarification", task: "", criteria: [], clarification_questions: questions };
    await expect(onlyAsking(project)).rejects.toMatchObject({ code: "nothing_asked" });
    await store(project, ID);
    await store(project, `${ID}-2`, { task: { intake: IntakeResult.parse(intake) } });
    expect(await onlyAsking(project)).toBe(`${ID}-2`);

    const run = await storeOf(project).open(`${ID}-2`);
    await expect(onlyAsking(project)).rejects.toMatchObject({ code: "nothing_asked" });
    await run.release();
  });
});
