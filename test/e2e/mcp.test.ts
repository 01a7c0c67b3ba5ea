import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { mcpOverStdio } from "../support/mcp-client.ts";
import { sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { always, asks, summarizes, works } from "../support/stories.ts";

/** Works when it is let go. */
const waiting = { agent: { command: "until [ -f go ]; do sleep 0.05; done; echo worked" } };

test("the server offers seven tools, each with a description and schemas", async () => {
  const { client } = await mcpOverStdio(await sandbox());

  const { tools } = await client.listTools();

  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...["answer", "cancel", "get_task", "list_tasks", "run_task", "tell", "watch"],
  ]);
  for (const { description = "", inputSchema, outputSchema } of tools) {
    expect(description.length).toBeGreaterThan(40);
    expect(inputSchema.properties).toHaveProperty("project");
    expect(outputSchema?.type).toBe("object");
  }
  expect(client.getInstructions()).toContain("overnight");
});

describe("a run that is started through the server", () => {
  test("outlives it, and another server watches it to its end, with progress", async () => {
    const box = await scriptedSandbox(story(), waiting);
    const first = await mcpOverStdio(box);
    const started = await first.call("run_task", { task: "-V --help", checks: ["test -f go"], max_iterations: 2 });
    await first.close();

    const second = await mcpOverStdio(box);
    const told: string[] = [];
    const before = await second.call("get_task");
    const noted = await second.call("tell", { note: "Keep the API" });
    setTimeout(() => void box.write("go", ""), 300);
    const watched = await second.call("watch", { wait_seconds: 60 }, (message) => told.push(message));

    const { task_id } = started.facts;
    expect(before.facts).toMatchObject({
      task_id,
      status: "running",
      task: "-V --help",
      is_over: false,
      max_iterations: 2,
    });
    expect(noted.facts).toMatchObject({ task_id, is_done: true });
    expect(watched.facts).toMatchObject({ task_id, status: "completed", is_over: true, iterations: 1 });
    expect(watched.facts.criteria).toMatchObject([{ id: 1, is_met: true, criterion: "`test -f go` exits 0" }]);
    expect(watched.text).toContain("completed: every criterion is met");
    expect(told).toContain("running the checks");
  });

  test("is watched for a while only, is cancelled, and is gone on with", async () => {
    const box = await scriptedSandbox(story(), waiting);
    const { call } = await mcpOverStdio(box);
    const { facts: started } = await call("run_task", { task: "Wait", checks: ["test -f go"] });

    const watched = await call("watch", { wait_seconds: 1 });
    const again = await call("watch", { wait_seconds: 0.1, after: watched.facts.last_seq });
    const cancelled = await call("cancel");
    const listed = await call("list_tasks", { status: "cancelled" });
    await box.write("go", "");
    const resumed = await call("run_task", { resume: String(started.task_id) });
    const ended = await call("watch", { wait_seconds: 60 });

    expect(watched.facts).toMatchObject({ status: "running", is_over: false });
    expect(again.facts.happened).toEqual([]);
    expect(cancelled).toMatchObject({ isError: false, facts: { task_id: started.task_id, is_done: true } });
    expect(listed.facts.tasks).toMatchObject([{ task_id: started.task_id, status: "cancelled", criteria: 1 }]);
    expect(resumed.facts.task_id).toBe(started.task_id);
    expect(ended.facts).toMatchObject({ status: "completed" });
  });

  test("asks first where its criteria are unclear, and begins when it has its answers", async () => {
    const questions = [{ question: "How fast?", suggested_answers: ["100 ms", "1 s"] }];
    const box = await scriptedSandbox(story(asks(...questions), works("did it"), always(summarizes("did it"))));
    const { call } = await mcpOverStdio(box);
    await call("run_task", { task: "Make it fast", criteria: ["it is fast"], max_iterations: 1 });

    const asked = await call("watch", { wait_seconds: 60 });
    const tooFew = await call("answer", { answers: ["1", "2"] });
    const answered = await call("answer", { answers: ["1"] });

    expect(asked.facts).toMatchObject({ status: "clarification_needed", questions });
    expect(asked.text).toContain("? 1. How fast?");
    expect(tooFew).toMatchObject({ isError: true, text: expect.stringContaining("1") });
    expect(answered.isError).toBe(false);
    await vi.waitFor(async () =>
      expect(await box.read(`.e8/tasks/${asked.facts.task_id}/task.json`)).toContain("100 ms"),
    );
    await call("watch", { wait_seconds: 60 });
  });
});

describe("what a model asks for is data", () => {
  test("a project outside the roots is refused, also behind a link; one below a root is served", async () => {
    const box = await sandbox();
    const [outside, root] = [join(box.home, "outside"), join(box.home, "root")];
    await Promise.all([outside, join(root, "inner")].map((one) => mkdir(one, { recursive: true })));
    await symlink(outside, join(box.project, "link"));
    const { call } = await mcpOverStdio(box, "--root", root);
    const wanted = (project: string) => call("run_task", { task: "x", checks: ["true"], project });

    for (const project of [outside, "..", "link", `${root}-other`])
      expect(await wanted(project)).toMatchObject({ isError: true, text: expect.stringContaining("--root") });
    expect(await call("list_tasks", { project: join(root, "inner") })).toMatchObject({ isError: false });
    expect(await call("run_task", { task_file: "link/task.yaml" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("outside the directories"),
    });
    expect(await box.tasks()).toEqual([]);
  });

  test("what cannot be run is an answer with the reason and what to do", async () => {
    const { call } = await mcpOverStdio(await sandbox());

    expect(await call("run_task", { task: "x" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("no criteria"),
    });
    expect(await call("run_task", { checks: ["true"] })).toMatchObject({
      isError: true,
      text: expect.stringContaining("`task_file`"),
    });
    expect(await call("get_task", { task_id: "--help" })).toMatchObject({ isError: true });
    expect(await call("run_task", { task: "x", checks: "true" })).toMatchObject({ isError: true });
  });
});
