import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RunEvent, resume, stream, streamAgent, type TaskInput } from "../../src/index.ts";
import { answers, byProgram, type StepSketch, says, writeAgent } from "../support/agents.ts";
import { recorded } from "../support/run-goal.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { judgmentsThatCount } from "../support/seeded-kill.ts";

/** What a process that is killed after an event leaves behind: a copy of its project at each one. */
async function remains(box: Sandbox, events: AsyncIterable<RunEvent>): Promise<string[]> {
  const copies: string[] = [];
  let before = "";
  for await (const _ of events) {
    const now = await stateOf(box.project);
    if (now === before || now === "") continue;
    before = now;
    const copy = join(box.home, `killed ${copies.length}`);
    await cp(box.project, copy, { recursive: true });
    await abandonLock(copy);
    copies.push(copy);
  }
  return copies;
}

const TORN = '{"type":"summary","iteration":9,"appr';

test("[SC-005] a task whose run is killed after any event is resumed: nothing is lost or done twice", async () => {
  const box = await sandbox();
  box.env.ENDLESS8_SANDBOX = "off"; // there are many runs, and none has to do with it
  const command = "touch step-$E8_ITERATION; echo worked on $E8_ITERATION";
  const task: TaskInput = { task: "x", criteria: [{ type: "command", command: "test -f step-3" }], agent: { command } };
  const copies = await remains(box, stream(task, { project: box.project, environment: box.env }));
  expect(copies.length).toBeGreaterThan(9);

  for (const [index, project] of copies.entries()) {
    // A power cut in the middle of a write leaves half a record.
    if (index % 2 === 1) await appendFile(join(await taskIn(project), "history.jsonl"), TORN);

    const result = await resume({ project, environment: box.env });

    expect(result, project).toMatchObject({ status: "completed", iterations_used: 3 });
    const records = await recordsIn(project);
    expect(recorded(records, "summary").map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(judgmentsThatCount(records).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(records.filter(({ type }) => type === "final_result")).toHaveLength(1);
  }
});

test("a flow whose run is killed after any event goes on at the same step, with the same handoff and attempts", async () => {
  const box = await sandbox();
  box.env.ENDLESS8_SANDBOX = "off"; // its condition reads the records
  await writeFlow(box);
  const whole = streamAgent("small", { issue: 5 }, { project: box.project, environment: box.env });
  const copies = await remains(box, whole);
  const expected = positionsIn(await box.records());
  expect(expected.map((position) => position?.attempts["closure.task"] ?? 0)).toEqual([0, 0, 1, 1, 1]);
  expect(copies.length).toBeGreaterThan(9);

  for (const project of copies) {
    const result = await resume({ project, environment: box.env });

    expect(result, project).toMatchObject({ status: "completed", iterations_used: 5 });
    const records = await recordsIn(project);
    expect(positionsIn(records)).toEqual(expected);
    expect(recorded(records, "summary").map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5]);
    expect(await readFile(join(project, ".e8/issues/5.md"), "utf8")).toMatch(/labels:\s+- done\s+state: CLOSED/);
  }
});

/** Plan, work, close; completion is refused until the work was done twice. */
async function writeFlow(box: Sandbox): Promise<void> {
  const steps: StepSketch[] = [
    step("initial.plan", { next: "continuation.work" }, "plan"),
    step("continuation.work", { next: "closure.task" }, "done"),
    step("closure.task", { closing: null, repeat: "continuation.work" }),
  ];
  const twice = { type: "command", command: 'grep -c \'"done":"twice"\' .e8/tasks/*/history.jsonl' };
  const condition = { stepId: "closure.task", name: "Twice?", c2: "retry", c3: "task" };
  await writeAgent(box, {
    steps,
    completion: { type: "externalState", config: { resourceType: "issue", maxIterations: 10 } },
    parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
    integrations: {
      github: { enabled: true, labels: { completion: { add: ["done"] } }, defaultClosureAction: "label-and-close" },
    },
    registry: {
      validators: { twice },
      completionSteps: { "closure.task": { ...condition, completionConditions: [{ validator: "twice" }] } },
    },
  });
  const [first, second] = [says("next", { done: "once" }), says("next", { done: "twice" })];
  await answers(box, says("next", { plan: "in steps" }), first, says("closing"), second, says("closing"));
  await box.write(".e8/issues/5.md", "---\ntitle: Five\n---\n");
}

function step(id: string, go: StepSketch["go"], handed?: string): StepSketch {
  const handoff = handed && { properties: { [handed]: { type: "string" } }, gate: { handoffFields: [handed] } };
  return { id, go, ...handoff, more: byProgram };
}

/** All that is recorded of the project's one task; empty before there is one. */
async function stateOf(project: string): Promise<string> {
  const directory = await taskIn(project).catch(() => undefined);
  if (directory === undefined) return "";
  const names = ["task.json", "history.jsonl", "spending.jsonl", "output.md"];
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8").catch(() => "")));
  return texts.join("\n---\n");
}

async function taskIn(project: string): Promise<string> {
  const tasks = join(project, ".e8", "tasks");
  const [id = ""] = (await readdir(tasks)).filter((name) => name !== ".gitignore");
  return join(tasks, id);
}

/** The run that held it goes on here; where the copy was made it is gone. */
async function abandonLock(project: string): Promise<void> {
  const file = join(await taskIn(project), "lock");
  const holder = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await mkdir(join(project, "..", "tmp"), { recursive: true });
  await writeFile(file, JSON.stringify({ ...holder, boot_id: "another boot", pid: 4_000_000, started: "1" }));
}

async function recordsIn(project: string) {
  const text = await readFile(join(await taskIn(project), "history.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function positionsIn(records: Awaited<ReturnType<typeof recordsIn>>) {
  return judgmentsThatCount(records).map(({ flow }) => flow);
}
