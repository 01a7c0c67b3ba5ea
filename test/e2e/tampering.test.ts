import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LoopResult } from "../../src/model/records.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** A run whose check fails, killed with SIGKILL in its second iteration. Returns its task's id. */
async function killed(box: Sandbox): Promise<string> {
  const worker = "if [ -e second ]; then touch here; sleep 60; else touch second; fi";
  const run = box.start(["run", "x", "--check", "exit 7", "--agent-command", worker, "--verbose"]);
  await expect.poll(() => readdir(box.project), { timeout: 60_000 }).toContain("here");
  run.child.kill("SIGKILL");
  await run.ended;
  const [id = ""] = await box.tasks();
  return id;
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}

function ending(task_id: string): string {
  const result: Partial<LoopResult> = {
    type: "final_result",
    task_id,
    status: "completed",
    stop_reason: "criteria_met",
  };
  return `${JSON.stringify({ ...result, iterations_used: 1, timestamp: new Date().toISOString() })}\n`;
}

const RESUME = ["run", "--resume", "--agent-command", "true", "-n", "2"];

test("criteria that were weakened after a kill -9 do not count, and are named in both languages", async () => {
  const box = await quickSandbox();
  const id = await killed(box);
  const file = join(box.project, ".e8/tasks", id, "task.json");
  const weaken = () => rewrite(file, (text) => text.replace("exit 7", "true"));
  await weaken();

  const resumed = await box.e8(RESUME);

  expect(resumed.code, resumed.stdout).toBe(1);
  expect(resumed.stderr).toContain("task.json was changed since the last run, and not by endless8");
  expect(resumed.stderr).toContain('criteria[1].command: "exit 7" → "true"');
  await weaken();
  const japanese = await box.e8([...RESUME, "--lang", "ja"]);
  expect(japanese.stderr).toContain("task.json が前回の実行のあと、endless8 以外のものによって変更されました");

  await weaken();
  const accepted = await box.e8([...RESUME, "--accept-changes", "-n", "3"]);
  expect(accepted.stderr).toContain("You have accepted these changes of task.json");
  expect(accepted.code, accepted.stdout).toBe(0);
});

test("an ending that was forged after a kill -9 is neither listed, shown nor believed", async () => {
  const box = await quickSandbox();
  const id = await killed(box);
  await rewrite(join(box.project, ".e8/tasks", id, "history.jsonl"), (text) => text + ending(id));

  expect(JSON.parse((await box.e8(["list", "--json"])).stdout)).toMatchObject([{ status: "interrupted" }]);
  expect((await box.e8(["show", "--json"])).stdout).not.toContain("criteria_met");
  const resumed = await box.e8(RESUME);
  expect(resumed.code, resumed.stdout).toBe(1);
  expect(resumed.stderr).toContain("(1 record added, 0 changed or removed)");
});

test("a task that a worker has planted is refused with what to type, and listed as not begun here", async () => {
  const box = await quickSandbox();
  const id = await killed(box);
  const planted = id.replace(/\d\d$/, (second) => String((Number(second) + 1) % 60).padStart(2, "0"));
  const place = join(box.project, ".e8/tasks", planted);
  await cp(join(box.project, ".e8/tasks", id), place, { recursive: true });
  await rm(join(place, "lock"), { force: true });
  await rewrite(join(place, "task.json"), (text) => text.replace(id, planted).replace("exit 7", "true"));
  await rewrite(join(place, "history.jsonl"), (text) => text + ending(planted));

  const refused = await box.e8(["run", "--resume", planted]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr + refused.stdout).toContain(`endless8 did not begin task ${planted} here`);
  expect(refused.stderr + refused.stdout).toContain(`e8 run --resume ${planted} --accept-changes`);
  expect((await box.e8(["list"])).stdout).toMatch(new RegExp(`${planted} +not begun here`));
});

test("deleting the copies of a task does not open the way, and a new home only says that nothing can be compared", async () => {
  const box = await quickSandbox();
  const id = await killed(box);
  const [project = ""] = await readdir(join(box.home, ".local/state/endless8/projects"));
  const kept = join(box.home, ".local/state/endless8/projects", project);
  await rm(join(kept, "tasks", id), { recursive: true });

  const refused = await box.e8(RESUME);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr + refused.stdout).toContain("the copy of its records outside the project is gone");

  await rm(kept, { recursive: true });
  const resumed = await box.e8(RESUME);
  expect(resumed.code).toBe(1);
  expect(resumed.stderr).toContain(
    "cannot be told: it began with an earlier version, on another machine or in another home",
  );
  expect((await box.e8([...RESUME, "-n", "3"])).stderr).not.toContain("cannot be told");
});

test("a hidden check's command and output are nowhere below the project, and e8 show has both", async () => {
  const box = await quickSandbox();
  const task = join(box.home, "task.yaml");
  const check = { type: "command", command: "echo the-answer-is-41; exit 7", description: "it holds", hidden: true };
  await writeFile(task, JSON.stringify({ task: "x", criteria: [check], persist: "all.jsonl" }));
  const looks = "grep -rl 'the-answer-is-4[1]' . > found.txt; true";

  const ended = await box.e8(["run", "--config", task, "--agent-command", looks, "-n", "2", "--json"]);

  expect(ended.code).toBe(1);
  expect(await box.read("found.txt")).toBe("");
  for (const entry of await readdir(box.project, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(await readFile(join(entry.parentPath, entry.name), "utf8"), entry.name).not.toContain("the-answer-is-41");
  const shown = await box.e8(["show"]);
  expect(shown.stdout).toContain("it holds: `echo the-answer-is-41; exit 7`");
  expect(JSON.parse((await box.e8(["show", "--json"])).stdout).records[1].evaluations[0].evidence).toContain(
    "the-answer-is-41",
  );
  expect(
    (await box.e8(["query", "select count(*) as n from history where type = 'judgment'", "--csv"])).stdout,
  ).toContain("2");
  expect((await box.e8(["run", "--resume", "-n", "3"])).code).toBe(1);
});

test("a task dated in the future is not the latest, which is said", async () => {
  const box = await quickSandbox();
  const id = await killed(box);
  const future = "2999-01-01T00-00-00";
  await cp(join(box.project, ".e8/tasks", id), join(box.project, ".e8/tasks", future), { recursive: true });

  const resumed = await box.e8(RESUME);
  expect(resumed.stderr).toContain(`Task ${future} is dated in the future: it is not taken for the latest`);
  expect(JSON.parse((await box.e8(["show", "--json"])).stdout)).toMatchObject({
    task_id: id,
    status: "max_iterations",
  });
  expect((await box.e8(["list"])).stdout).toMatch(new RegExp(`${future} +dated in the future`));
});
