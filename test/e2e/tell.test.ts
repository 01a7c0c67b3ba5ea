import { describe, expect, test, vi } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

/** A worker that keeps each prompt and waits to be let go, iteration by iteration. */
const WORKER = 'cat > "prompt-$E8_ITERATION"; until [ -f "go-$E8_ITERATION" ]; do sleep 0.05; done; echo worked';
const RUN = ["run", "Mend it", "--check", "test -f go-2", "--agent-command", WORKER, "--json-events"];

const patiently = { timeout: 60_000, interval: 50 };

async function prompt(box: Sandbox, iteration: number): Promise<string> {
  return vi.waitFor(async () => {
    const text = await box.read(`prompt-${iteration}`);
    expect(text).toContain("This is iteration");
    return text;
  }, patiently);
}

describe("e8 tell", () => {
  test("reaches the next worker of a running task, and is seen in the events, e8 show and e8 query", async () => {
    const box = await sandbox();
    const run = box.start(RUN);
    await prompt(box, 1);
    const [id = ""] = await box.tasks();

    const told = await Promise.all([
      box.e8(["tell", "Keep the old API"]),
      box.e8(["tell", id, "-"], { stdin: "そして README も直して\n" }),
    ]);
    expect(told.map(({ code }) => code)).toEqual([0, 0]);
    expect(told[0]?.stdout).toContain(`The next worker of task ${id} will read it`);
    expect((await box.e8(["show"])).stdout).toMatch(/notes for the next worker\n {2}✎ /);
    await box.write("go-1", "");
    const second = await prompt(box, 2);
    await box.write("go-2", "");
    const { code, stdout } = await run.ended;

    expect(code).toBe(0);
    expect(second).toContain("# What the user tells you now");
    expect(second).toContain("Keep the old API");
    expect(second).toContain("そして README も直して");
    const notes = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event)
      .filter(({ type }) => type === "note");
    expect(notes).toHaveLength(2);
    expect((await box.records()).filter(({ type }) => type === "note")).toHaveLength(2);
    const show = (await box.e8(["show"])).stdout;
    expect(show).toContain("note from you: Keep the old API");
    expect(show).not.toContain("notes for the next worker");
    const rows = (await box.e8(["query", "select text, iteration from history where type = 'note'", "--json"])).stdout;
    expect(JSON.parse(rows)).toContainEqual({ text: "Keep the old API", iteration: 2 });
  });

  test("waits for a task that is stopped until e8 resume takes it up", async () => {
    const box = await quickSandbox();
    const stopped = await box.e8(["run", "x", "--check", "test -f done", "-n", "1", "--agent-command", "cat > prompt"]);
    expect(stopped.code).toBe(1);
    const [id = ""] = await box.tasks();

    const told = await box.e8(["tell", id, "Use the other file"]);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(`e8 resume ${id}`) });
    const resumed = await box.e8(["resume", id, "-n", "2"]);

    expect(resumed.stderr).toContain("✎ note from you: Use the other file");
    expect(await box.read("prompt")).toContain("Use the other file");
  });

  test("is refused where no worker can come, or nothing is said", async () => {
    const box = await quickSandbox();
    expect(await box.e8(["tell", "x"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/No task of .* is running/),
    });
    await box.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
    const [id = ""] = await box.tasks();
    for (const [words, problem] of [
      [[id, "more"], "is completed"],
      [[id], "There is no note"],
      [[id, "  "], "There is no note"],
      [[id, "x".repeat(12_001)], "12001 characters"],
      [["2026-01-23T13-30-00", "x"], "no task"],
    ] as const) {
      const { code, stderr } = await box.e8(["tell", ...words]);
      expect([code, stderr.toLowerCase()]).toEqual([2, expect.stringContaining(problem.toLowerCase())]);
    }
  });
});
