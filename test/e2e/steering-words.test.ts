import { describe, expect, test } from "vitest";
import { answers, byProgram, type StepSketch, says, writeAgent } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";

/** Clears the terminal, and gives its window another name. */
const STEERING = "\u001b[2J\u001b]2;taken over\u0007";
const STEERING_CHARACTERS = /(?!\n)\p{Cc}/u;

const STEPS: StepSketch[] = [
  { id: "initial.task", go: { next: "closure.task" }, more: { ...byProgram, name: `first${STEERING}` } },
  { id: "closure.task", go: { closing: null, repeat: "initial.task" }, more: byProgram },
];

describe("what other people wrote does not steer the terminal", () => {
  test.each([
    { args: ["agent", "show", "small"], shows: "first" },
    { args: ["agent", "run", "small", "--help"], shows: "which one" },
  ])("a definition: e8 $args", async ({ args, shows }) => {
    const box = await quickSandbox();
    const parameters = { mode: { type: "string", description: `which one${STEERING}`, cli: "--mode" } };
    await writeAgent(box, { steps: STEPS, parameters });

    const { stdout } = await box.e8(args);

    expect(stdout).toContain(shows);
    expect(stdout).not.toMatch(STEERING_CHARACTERS);
  });

  test.each(["validate", "run"])("a definition that cannot be run: e8 agent %s", async (command) => {
    const box = await quickSandbox();
    const steps = STEPS.map((step) => ({ ...step, go: { ...step.go, repeat: `nowhere${STEERING}` } }));
    await writeAgent(box, { steps });

    const { stdout, stderr } = await box.e8(["agent", command, "small"]);

    expect(stdout + stderr).toContain("nowhere");
    expect(stdout + stderr).not.toMatch(STEERING_CHARACTERS);
  });

  test("the name of a step while it is done", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS });
    await answers(box, says("next"), says("closing"));

    const { code, stderr } = await box.e8(["agent", "run", "small"]);

    expect(code, stderr).toBe(0);
    expect(stderr).toContain("first");
    expect(stderr).not.toMatch(STEERING_CHARACTERS);
  });

  test("the servers of a repository, looked at by e8 doctor", async () => {
    const box = await quickSandbox();
    await box.write(".mcp.json", JSON.stringify({ mcpServers: { [`sums${STEERING}`]: { command: "sums" } } }));

    const { stdout } = await box.e8(["doctor"]);

    expect(stdout).toContain("sums");
    expect(stdout).not.toMatch(STEERING_CHARACTERS);
  });

  test("a key of a task file that is not known", async () => {
    const box = await quickSandbox();
    await box.write("task.yaml", JSON.stringify({ task: "x", criteria: ["y"], [`odd${STEERING}`]: 1 }));

    const { stderr } = await box.e8(["run", "--config", "task.yaml"]);

    expect(stderr).toContain("odd");
    expect(stderr).not.toMatch(STEERING_CHARACTERS);
  });
});
