import { readdir } from "node:fs/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { E8Error, type LoopResult, type RunEvent, resume, run, stream, type TaskInput } from "../../src/index.ts";
import type { HistoryRecord } from "../../src/model/records.ts";
import { readableRecord } from "../../src/texts/readable.ts";
import { resultOf, sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { pidOutside } from "../support/spaces.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";

const TASK: TaskInput = { task: "Say hello", criteria: ["hello was said", { type: "command", command: "true" }] };
const STORY = story(
  accepts("hello was said"),
  works("hello"),
  summarizes("it said hello"),
  judges(true, [{ id: 1, is_met: true }]),
);

describe("the library", () => {
  test("[SC-006] gives the same result and the same records as the command line", async () => {
    const [cli, library] = [await scriptedSandbox(STORY), await scriptedSandbox(STORY)];

    const fromCli = resultOf(await cli.e8(["run", "Say hello", "-c", "hello was said", "--check", "true", "--json"]));
    const fromLibrary = await run(TASK, { project: library.project, environment: library.env });

    expect(comparable(fromLibrary)).toEqual(comparable(fromCli));
    expect((await library.records()).map(comparable)).toEqual((await cli.records()).map(comparable));
  });

  test("announces every record after it is on disk, to a callback and as a stream", async () => {
    const { project, env, records } = await scriptedSandbox(STORY);
    const seen: RunEvent[] = [];
    for await (const event of stream(TASK, { project, environment: env })) {
      const last = async () => readableRecord((await records()).at(-1) as HistoryRecord, "en");
      if (event.type === "summary") expect(await last()).toEqual(event.summary);
      if (event.type === "judgment") expect(await last()).toEqual(event.judgment);
      if (event.type === "run-end") expect(await last()).toEqual(event.result);
      seen.push(event);
    }

    const told = seen.map((event) => (event.type === "phase-start" ? `${event.phase}…` : event.type));
    const whenever = ["spent", "notice", "check…", "check-end"]; // the check may be over before the summary is, or after it
    expect(told.filter((one) => !whenever.includes(one))).toEqual([
      ...["run-start", "intake…", "intake", "iteration-start", "execute…", "summarize…", "summary"],
      ...["judge…", "judgment", "run-end"],
    ]);
    expect(told.slice(told.indexOf("summarize…"), told.indexOf("judge…"))).toContain("check-end");
  });

  test("takes its settings from the environment that it is given, not from its own", async () => {
    const { project, env } = await sandbox();
    const environment = { ...env, ENDLESS8_MAX_ITERATIONS: "2" };
    const task: TaskInput = { ...TASK, criteria: [{ type: "command", command: "false" }], agent: { command: "true" } };

    expect(await run(task, { project, environment })).toMatchObject({ status: "max_iterations", iterations_used: 2 });
  });

  test("ends the run when the caller's own function throws, and gives its error", async () => {
    const { project, env } = await sandbox();
    const task: TaskInput = {
      ...TASK,
      criteria: [{ type: "command", command: "true" }],
      agent: { command: "while :; do echo $$; sleep 0.2; done" },
    };
    let pid = 0;

    const running = run(task, {
      project,
      environment: env,
      onProgress: (event) => {
        if (event.type !== "text") return;
        pid = pidOutside(Number(event.text), project) ?? 0;
        if (pid === 0) return; // the system does not show it yet
        throw new Error("a mistake of the caller");
      },
    });

    await expect(running).rejects.toThrow("a mistake of the caller");
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("cancels with a signal", async () => {
    const { project, env } = await sandbox();
    const controller = new AbortController();
    const task: TaskInput = {
      ...TASK,
      criteria: [{ type: "command", command: "true" }],
      agent: { command: "echo up; sleep 60" },
    };

    const result = await run(task, {
      project,
      environment: env,
      signal: controller.signal,
      onProgress: (event) => event.type === "text" && controller.abort(),
    });

    expect(result).toMatchObject({ status: "cancelled", iterations_used: 0 });
  });

  test("many runs that share one signal warn of nothing, and end with it", async () => {
    const boxes = await Promise.all(Array.from({ length: 12 }, () => sandbox()));
    const controller = new AbortController();
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const task: TaskInput = {
      ...TASK,
      criteria: [{ type: "command", command: "touch checked; sleep 100" }],
      command_timeout: 200,
      agent: { command: "echo up" },
    };

    const runs = boxes.map(({ project, env }) => run(task, { project, environment: env, signal: controller.signal }));
    await vi.waitFor(() => Promise.all(boxes.map(({ read }) => read("checked"))), { timeout: 60_000 });
    controller.abort();
    const results = await Promise.all(runs);

    expect(results.map(({ status }) => status)).toEqual(boxes.map(() => "cancelled"));
    expect(warnings).toEqual([]);
  });

  test("puts the intake's questions to the given function, up to three rounds", async () => {
    const { project, env } = await scriptedSandbox(
      story(asks({ question: "Which one?", suggested_answers: ["this", "that"] }), ...STORY.scenes),
    );

    const result = await run(TASK, {
      project,
      environment: env,
      ask: async (questions) => questions.map(({ question }) => ({ question, answer: "that" })),
    });

    expect(result.status).toBe("completed");
  });

  test("goes on with a task beyond the limit that ended it, as the command line does", async () => {
    const { project, env: environment } = await sandbox();
    const task: TaskInput = {
      task: "Make it",
      criteria: [{ type: "command", command: "test -f made" }],
      agent: { command: '[ "$E8_ITERATION" = 1 ] || touch made; echo worked' },
      max_iterations: 1,
    };

    expect(await run(task, { project, environment })).toMatchObject({ status: "max_iterations" });
    expect(await resume({ project, environment })).toMatchObject({ status: "max_iterations", iterations_used: 1 });
    await expect(resume({ project, flags: { maxCost: Number.NaN } })).rejects.toBeInstanceOf(E8Error);
    const flags = { maxIterations: 2, criteria: ["nothing at all"] };
    const result = await resume({ project, environment, flags });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(result.final_judgment?.evaluations).toMatchObject([{ criterion: "`test -f made` exits 0", is_met: true }]);
  });

  test.each([
    { name: "a limit that is not a number", task: { ...TASK, budget: { cost_usd: Number.NaN } } },
    { name: "a number beyond JSON", task: { ...TASK, max_iterations: 3n } },
    { name: "nothing", task: undefined },
    { name: "a circle", task: circle() },
  ])("refuses $name: no limit is lost on the way, and what is thrown says what is wrong", async ({ task }) => {
    const { project } = await sandbox();
    await expect(run(task as TaskInput, { project })).rejects.toBeInstanceOf(E8Error);
    expect(await readdir(project)).toEqual([]);
  });

  test("throws for an input that cannot be used, before anything is made", async () => {
    const { project } = await sandbox();
    const wrong = { ...TASK, max_iteration: 3 } as TaskInput;

    await expect(run(wrong, { project })).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(run({ task: "x" }, { project })).rejects.toBeInstanceOf(E8Error);
    expect(await readdir(project)).toEqual([]);
  });
});

function circle(): object {
  const task: { task: string; self?: object } = { task: "x" };
  task.self = task;
  return task;
}

/** A result or record without what differs from run to run. */
function comparable(record: object): object {
  const { task_id, timestamp, history_path, usage, snapshot, ...rest } = record as LoopResult & { snapshot?: string };
  const withoutSeconds = { ...usage, seconds: 0 };
  const text = JSON.stringify({ ...rest, usage: usage && withoutSeconds }).replace(/\d{4}-[\dT-]+(?=\/)/g, "ID");
  return JSON.parse(text.replace(/(after |（)[\d.]+ (s|秒)/g, "$1N $2").replace(/"seconds":[\d.]+/g, '"seconds":0'));
}
