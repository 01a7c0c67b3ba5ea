import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../src/cli/render/columns.ts";
import type { DefinitionProblem } from "../../../src/index.ts";
import { answers, byProgram, install, type StepSketch, says, summaries, writeAgent } from "../../support/agents.ts";
import { quickSandbox } from "../../support/in-process.ts";
import { resultOf } from "../../support/sandbox.ts";

const execute = promisify(execFile);
const E8 = fileURLToPath(new URL("../../../bin/e8.js", import.meta.url));

const STEPS: StepSketch[] = [
  { id: "initial.task", go: { next: "closure.task" }, more: byProgram },
  { id: "closure.task", go: { closing: null, repeat: "initial.task" }, more: byProgram },
];
/** As the format writes it, which is no template of ours. */
const MODE = ["mode=$", "{context.mode}"].join("");
const PARAMETERS = {
  issue: { type: "number", description: "the issue to fix", required: true, cli: "--issue", validation: { min: 1 } },
  mode: { type: "string", description: "how", default: "fast", cli: "--mode", validation: { enum: ["fast", "safe"] } },
};

describe("e8 agent", () => {
  test("init makes an agent that is valid and runs by its own story", async () => {
    const box = await quickSandbox();

    const made = await box.e8(["agent", "init", "reviewer"]);
    const again = await box.e8(["agent", "init", "reviewer"]);
    const validated = await box.e8(["agent", "validate"]);
    const ended = await box.e8(["agent", "run", "reviewer", "--json", "--script", ".agent/reviewer/story.yaml"]);

    expect(made.code, made.stderr).toBe(0);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
    expect(validated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^reviewer: valid/) });
    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended).status).toBe("completed");
    expect(ended.stderr).toContain("scripted");
    expect(box.model.requests).toEqual([]);
    expect(await box.read(`.e8/tasks/${await box.tasks()}/task.json`)).toContain("/.agent/reviewer/story.yaml");
    expect(await box.read(".agent/reviewer/agent.json")).not.toContain("single-step");
  });

  test("init says what is in its way, how a name is spelled, and leaves no half of an agent behind", async () => {
    const box = await quickSandbox();
    await box.write(".agent/mine/agent.json", "{}");

    const taken = await box.e8(["agent", "init", "mine"]);
    const misspelled = await box.e8(["agent", "init", "My agent"]);
    const full = await execute("bash", ["-c", 'ulimit -f 1; "$NODE" "$E8" agent init other; echo $?'], {
      cwd: box.project,
      env: { ...box.env, NODE: process.execPath, E8 },
    });

    expect(taken.stderr).toMatch(/mine exists already; it was left as it is\.\nnext: Choose another name/);
    expect(misspelled.stderr).toMatch(/My agent: a name begins with a letter .*\nnext: .*e8 agent init --help/);
    expect([full.stdout, full.stderr]).toEqual(["2\n", expect.stringMatching(/other could not be written: the disk/)]);
    expect(await readdir(join(box.project, ".agent"))).toEqual(["mine"]);
  });

  test("init names the templates when there is none of that name", async () => {
    const box = await quickSandbox();

    const made = await box.e8(["agent", "init", "reviewer", "--from", "nothing"]);

    expect(made.code).toBe(2);
    expect(made.stderr).toContain("issue-worker, plan-implement-verify-close, single-step");
  });

  test("list, show and validate tell what there is", async () => {
    const box = await quickSandbox();
    await install(box, "examples/agents", "release-gate");
    await install(box, "templates/agents/en", "issue-worker");

    const listed = await box.e8(["agent", "list"]);
    const shown = await box.e8(["agent", "show", "release-gate"]);
    const mermaid = await box.e8(["agent", "validate", "release-gate", "--graph", "mermaid"]);
    const text = await box.e8(["agent", "validate", "release-gate", "--graph", "text"]);

    expect(listed.stdout).toMatch(/issue-worker .*externalState[\s\S]*release-gate .*structuredSignal/);
    for (const said of ["--release", "verification.inspect", "objections", "names-version", "escalate", "Write"])
      expect(shown.stdout).toContain(said);
    expect(shown.stdout).toMatch(/verification\.inspect \[verification\].*(\n {4}.*)*\n {4}tools: Read, Bash\n/); // reads only
    expect(mermaid.stdout).toMatch(/^flowchart TD\n/); // nothing else, so that it can be kept in a file
    expect(mermaid.stderr).toBe("release-gate: valid\n");
    expect(mermaid.stdout).toContain("escalate");
    expect(text.stdout).toContain("verification.inspect");
    expect([listed, shown, mermaid, text].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  test("what is wrong, what an agent is and what the machine lacks are broken between words where a line is too long", async () => {
    const box = await quickSandbox();
    await install(box, "examples/agents", "release-gate");
    const registry = await box.read(".agent/release-gate/steps_registry.json");
    const narrow = async (...words: string[]) => (await box.e8(words, { env: { COLUMNS: "60" } })).stdout;

    const shown = await narrow("agent", "show", "release-gate");
    await box.write(".agent/release-gate/steps_registry.json", registry.replace('"steps":', '"steeps": 1, "steps":'));
    const told = await narrow("agent", "validate", "release-gate");
    const machine = await narrow("doctor");

    for (const line of [...shown.split("\n"), ...told.split("\n"), ...machine.split("\n")])
      if (line.trim().includes(" ")) expect(displayWidth(line), line).toBeLessThanOrEqual(60);
    expect(told).toContain("how to fix it: Did you mean steps?");
  });

  test.each([80, 40])("the list fits %i columns, and no name is cut", async (columns) => {
    const box = await quickSandbox();
    await install(box, "templates/agents/en", "issue-worker");
    await install(box, "templates/agents/en", "plan-implement-verify-close");

    const { stdout } = await box.e8(["agent", "list"], { env: { COLUMNS: String(columns) } });

    for (const line of stdout.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    expect(stdout).toMatch(/^(agent +)?plan-implement-verify-close(\s|$)/m);
  });

  test("validate reports every fault of a broken definition at once, and it does not run", async () => {
    const box = await quickSandbox();
    const [initial, closure] = STEPS as [StepSketch, StepSketch];
    await writeAgent(box, {
      steps: [
        { ...initial, go: { next: "closure.nowhere" }, prompt: "{uv-nobody}", more: { colour: "red" } },
        { ...closure, more: { stepId: "closure.other" } },
      ],
      parameters: { one: PARAMETERS.mode, two: PARAMETERS.mode },
    });

    const validated = await box.e8(["agent", "validate", "small", "--json"]);
    const readable = await box.e8(["agent", "validate", "small"]);
    const ended = await box.e8(["agent", "run", "small"]);

    expect([validated.code, readable.code, ended.code]).toEqual([2, 2, 2]);
    const [report] = JSON.parse(validated.stdout) as { valid: boolean; problems: DefinitionProblem[] }[];
    expect(report?.valid).toBe(false);
    const codes = report?.problems.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        "AGENT_PARAMETER_CLASH",
        "TRANSITION_TARGET_UNKNOWN",
        "VARIABLE_UNSUPPLIED",
        "AGENT_UNKNOWN_KEY",
        "STEP_ID_MISMATCH",
      ]),
    );
    for (const { file, message, why, fix } of report?.problems ?? [])
      for (const said of [file, message, why, fix]) expect(readable.stdout).toContain(said);
    expect(await box.tasks()).toEqual([]);
  });
});

describe("e8 agent run", () => {
  test("--help shows the agent's own parameters, and these first", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS, parameters: PARAMETERS });

    const helped = await box.e8(["agent", "run", "small", "--help"]);

    expect(helped.code).toBe(0);
    expect(helped.stdout).toMatch(/--issue <number> +the issue to fix \(required\)/);
    expect(helped.stdout).toMatch(/--mode <string> +how \(default: "fast"\)/);
    expect(helped.stdout.indexOf("--max-cost")).toBeGreaterThan(helped.stdout.indexOf("--mode <string>"));
  });

  test.for([
    { given: [], said: /--issue/ },
    { given: ["--issue", "seven"], said: /--issue.*seven/ },
    { given: ["--issue", "0"], said: /--issue/ },
    { given: ["--issue", "7", "--mode", "slow"], said: /--mode/ },
    { given: ["--issue", "7", "--colour", "red"], said: /--colour/ },
  ])("$given is one clear error, and nothing is started", async ({ given, said }) => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS, parameters: PARAMETERS });

    const ended = await box.e8(["agent", "run", "small", ...given]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr).toContain("e8 agent run small --help");
    expect(ended.stderr.match(/error:/g)).toHaveLength(1);
    expect(await box.tasks()).toEqual([]);
  });

  test("an agent that does not exist is named, with those that do", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS });

    const ended = await box.e8(["agent", "run", "smal"]);

    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/smal[\s\S]*small/) });
  });

  test("a flag is what the agent calls it, whatever it is called, and a list may be given piece by piece", async () => {
    const box = await quickSandbox();
    const flag = (type: string, cli: string) => ({ type, cli, description: "x" });
    await writeAgent(box, {
      steps: STEPS,
      parameters: {
        dry: flag("boolean", "--no-push"),
        odd: flag("string", "--a--b-"),
        files: flag("array", "--files"),
      },
    });

    await box.e8([...["agent", "run", "small", "--no-push", "--a--b-", "x"], ...["--files", "a,b", "--files", "c"]]);

    const [id = ""] = await box.tasks();
    const task = JSON.parse(await box.read(`.e8/tasks/${id}/task.json`));
    expect(task.flow.parameters).toEqual({ dry: true, odd: "x", files: ["a", "b", "c"] });
  });

  test("--allow-tool and --check-timeout hold for it as for a task", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS, parameters: PARAMETERS });
    await answers(box, says("next"), says("closing"));

    const flags = ["--allow-tool", "WebFetch", "--allow-tool", "WebSearch", "--check-timeout", "10m"];
    const ended = await box.e8(["agent", "run", "small", "--issue", "7", ...flags]);

    expect(ended.code, ended.stderr).toBe(0);
    const { configuration } = JSON.parse(await box.read(`.e8/tasks/${await box.tasks()}/task.json`));
    expect(configuration).toMatchObject({
      command_timeout: 600,
      claude_options: { allowed_tools: ["Read", "Write", "Edit", "Bash", "WebFetch", "WebSearch"] },
    });
  });

  test("what is piped in reaches a program that is a step, and a parameter its arguments", async () => {
    const box = await quickSandbox();
    const [initial, closure] = STEPS as [StepSketch, StepSketch];
    const args = ["-c", 'printf "%s: " "$1" > got.txt; cat >> got.txt; cat "$E8_ITERATION.json"', "sh"];
    const runner = { command: "sh", args: [...args, MODE] };
    await writeAgent(box, {
      steps: [{ ...initial, more: { usesStdin: true, runner } }, closure],
      parameters: PARAMETERS,
    });
    await answers(box, says("next"), says("closing"));

    const ended = await box.e8(["agent", "run", "small", "--issue", "7", "--mode", "safe"], { stdin: "naïve\ntext" });

    expect(ended.code, ended.stderr).toBe(0);
    expect(await box.read("got.txt")).toBe("mode=safe: naïve\ntext");
  });

  test("is a task like any other: it is listed, shown, and its steps are seen while it runs", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: STEPS });
    await answers(box, says("next"), says("closing"));

    const ended = await box.e8(["agent", "run", "small"]);
    const [id = ""] = await box.tasks();
    const listed = await box.e8(["list"]);
    const shown = await box.e8(["show", id]);

    expect(ended.stderr).toContain("closure.task");
    expect(ended.stdout).toContain("completed");
    expect(listed.stdout).toContain(id);
    expect(shown.stdout).toContain("initial.task");
    expect(await summaries(box)).toHaveLength(2);
  });
});
