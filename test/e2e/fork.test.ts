import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";

/** Appends a line in every iteration, and keeps what it was told. */
const WORKER = "cat > ../prompt.txt; echo line >> a.txt";

async function threeIterations(isRepository = true) {
  const box = await quickSandbox();
  await write(box.project, { "a.txt": "start\n" });
  if (isRepository) {
    await git(box.project, "init", "-q");
    await git(box.project, "add", "-A");
    await git(box.project, "commit", "-q", "-m", "start");
  }
  const run = ["run", "Add lines", "--agent-command", WORKER, "--check", "test $(wc -l < a.txt) -gt 9"];
  expect((await box.e8([...run, "-n", "3"])).code).toBe(1);
  const [id = ""] = await box.tasks();
  const lines = async () => (await readFile(join(box.project, "a.txt"), "utf8")).split("\n").length - 1;
  return { ...box, id, lines };
}

test.each([
  ["with git", true],
  ["without git", false],
])("a fork goes on from an iteration as a new task, %s, and says how to come back", async (_, isRepository) => {
  const box = await threeIterations(isRepository);
  await write(box.project, { "mine.txt": "not committed\n" });

  const forked = await box.e8(["fork", box.id, "--from", "1", "-n", "1"]);

  expect(forked.code, forked.stderr).toBe(1);
  expect(await box.lines()).toBe(3); // two of iteration 1, and one more
  const [, second = ""] = await box.tasks();
  const records = await box.records(second);
  expect(records.map((one) => (one.type === "final_result" ? one.iterations_used : one.type))).toEqual([
    ...["summary", "judgment", "summary", "judgment"],
    2,
  ]);
  expect(await readFile(join(box.home, "prompt.txt"), "utf8")).toContain("Add lines");

  const [, back = ""] = /e8 rollback \S+ --to (\w+)/.exec(forked.stderr) ?? [];
  expect((await box.e8(["rollback", box.id, "--to", back])).code).toBe(0);
  expect(await box.lines()).toBe(4);
  expect(await readFile(join(box.project, "mine.txt"), "utf8")).toBe("not committed\n");

  await box.e8(["rm", box.id, "--yes"]); // the fork keeps its own snapshots
  if (isRepository) await git(box.project, "gc", "-q", "--prune=now");
  expect((await box.e8(["diff", second, "1"])).stdout).toContain("+line");
});

test("another check or wording has the work of the iteration judged anew first", async () => {
  const box = await threeIterations();

  const forked = await box.e8([
    "fork",
    box.id,
    "Two lines",
    "--from",
    "1",
    "--only",
    "--check",
    "test $(wc -l < a.txt) -eq 2",
  ]);

  expect(forked.code, forked.stderr).toBe(0);
  const [, second = ""] = await box.tasks();
  expect((await box.records(second)).map(({ type }) => type)).toEqual(["summary", "judgment", "final_result"]);
  expect(JSON.parse((await box.e8(["show", second, "--json"])).stdout)).toMatchObject({
    configuration: { task: "Two lines", criteria: [{ command: "test $(wc -l < a.txt) -eq 2" }] },
  });
});

test("what cannot be forked is refused, and no file is touched", async () => {
  const box = await threeIterations();

  const missing = await box.e8(["fork", box.id, "--from", "9"]);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain("no snapshot of iteration 9");
  expect((await box.e8(["fork", box.id, "--from", "two"])).stderr).toContain("the number of an iteration");
  expect((await box.e8(["fork", box.id, "--from", "1", "--only"])).code).toBe(2);
  expect(await box.lines()).toBe(4);
  expect(await box.tasks()).toHaveLength(1);
});
