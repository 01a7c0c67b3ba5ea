import { describe, expect, test } from "vitest";
import { splitFrontmatter } from "../../../src/configuration/flow/read/prompt-files.ts";
import { codes, definitionOf, edit, fixture, miniWith, problem, problemsOf, set } from "./support.ts";

const WORK = "prompts/steps/initial/task/f_default.md";
const CLOSURE = "prompts/steps/closure/task/f_default.md";
const RETRY = "prompts/steps/retry/task/f_failed_git-dirty.md";

function mini(file: string, text: string | undefined): Map<string, string> {
  const files = fixture("mini");
  if (text === undefined) files.delete(file);
  else files.set(file, text);
  return files;
}

describe("a prompt", () => {
  test("that is not there is named with every place where it was looked for", () => {
    const found = problem(mini(WORK, undefined), "PROMPT_MISSING");

    expect(found.path).toBe('steps["initial.task"]');
    expect(found.fix).toBe("Add prompts/steps/initial/task/f_default.md, or prompts/initial_task.md.");
  });

  test("is found by its fallback key", () => {
    const files = mini(WORK, undefined).set("prompts/initial_task.md", "Issue {uv-issue}");

    expect(definitionOf(files).prompts["initial.task"]?.file).toBe("prompts/initial_task.md");
  });

  test("is found with its adaptation first", () => {
    const files = miniWith("registry", ["steps", "initial.task", "adaptation"], "fast").set(
      "prompts/steps/initial/task/f_default_fast.md",
      "Fast: {uv-issue}",
    );

    expect(definitionOf(files).prompts["initial.task"]?.text).toBe("Fast: {uv-issue}");
  });

  test("is found under a base that is given from the project's root", () => {
    const files = miniWith("registry", ["userPromptsBase"], ".agent/mini/prompts");

    expect(problemsOf(files)).toEqual([]);
  });

  test("may name its variables in any language; one that nothing supplies is reported", () => {
    const files = mini(WORK, "Issue {uv-issue}: {uv-課題}");

    expect(problem(files, "VARIABLE_UNSUPPLIED").message).toContain("{uv-課題}");
  });

  test("of the system is needed", () => {
    expect(problem(mini("prompts/system.md", undefined), "PROMPT_MISSING")).toMatchObject({
      file: "agent.json",
      path: "runner.flow.systemPromptPath",
    });
  });

  test("that is empty is refused", () => {
    expect(codes(problemsOf(mini(CLOSURE, "---\nname: x\n---\n\n")))).toContain("PROMPT_EMPTY");
  });

  test("of a subprocess step is not needed", () => {
    const files = mini(WORK, undefined);
    edit(files, "steps_registry.json", (registry) =>
      set(registry, ["steps", "initial.task", "runner"], { command: "node", args: [`\${context.issue}`] }),
    );

    expect(problemsOf(files)).toEqual([]);
  });
});

describe("variables", () => {
  test("that nothing supplies are errors with their line and a suggestion", () => {
    const found = problem(
      mini(WORK, "---\nstepId: initial.task\n---\n\nWork on\n{uv-isue} {uv-issue}\n"),
      "VARIABLE_UNSUPPLIED",
    );

    expect(found).toMatchObject({ severity: "error", file: WORK, line: 6, fix: "Did you mean {uv-issue}?" });
  });

  test("that nothing supplies do no harm in a step that can never run", () => {
    const step = { stepId: "initial.idle", name: "Idle", c2: "initial", c3: "idle", fallbackKey: "idle" };
    const files = edit(fixture("release-checker"), "steps_registry.json", (registry) =>
      set(registry, ["steps", "section.idle"], { ...step, stepId: "section.idle" }),
    ).set("prompts/steps/initial/idle/f_default.md", "{uv-nobody}");

    expect(problem(files, "VARIABLE_UNSUPPLIED").severity).toBe("warning");
  });

  test.each([
    "iteration",
    "completed_iterations",
    "completion_keyword",
    "max_iterations",
    "remaining",
    "previous_summary",
    "check_count",
    "max_checks",
  ])("the program itself supplies %s", (name) => {
    const files = mini(CLOSURE, `{uv-issue} {uv-${name}}`);
    edit(files, "steps_registry.json", (registry) =>
      set(registry, ["steps", "closure.task", "uvVariables"], ["issue", name]),
    );

    expect(problemsOf(files)).toEqual([]);
  });

  test("of the system prompt are not those of a step", () => {
    expect(problem(mini(CLOSURE, "{uv-issue} {uv-agent_name}"), "VARIABLE_UNSUPPLIED").severity).toBe("error");
  });

  test("that are piped in are supplied to a step that uses stdin", () => {
    const files = mini(CLOSURE, "{uv-issue} {uv-input_text}");
    const text = (usesStdin: boolean) =>
      edit(files, "steps_registry.json", (registry) => {
        set(registry, ["steps", "closure.task", "usesStdin"], usesStdin);
        set(registry, ["steps", "closure.task", "uvVariables"], ["issue", "input_text"]);
      });

    expect(codes(problemsOf(text(false)))).toEqual(["VARIABLE_UNSUPPLIED"]);
    expect(problemsOf(text(true))).toEqual([]);
  });

  test("that are declared and not used, or used and not declared, are warnings", () => {
    expect(codes(problemsOf(mini(CLOSURE, "Done?")))).toEqual(["VARIABLE_UNUSED"]);
    expect(codes(problemsOf(mini(CLOSURE, "{uv-issue} {uv-iteration}")))).toEqual(["VARIABLE_UNDECLARED"]);
  });

  test("of a parameter that may be left out are a warning", () => {
    const files = miniWith("agent", ["parameters", "issue", "required"], false);

    expect(new Set(codes(problemsOf(files)))).toEqual(new Set(["VARIABLE_OPTIONAL"]));
  });

  test("handed on by a step that not every path goes through are a warning", () => {
    const files = mini(WORK, "{uv-issue} {uv-initial_task_plan}");

    expect(codes(problemsOf(files))).toEqual(["VARIABLE_NOT_ALWAYS"]);
    expect(problemsOf(mini(CLOSURE, "{uv-issue} {uv-initial_task_plan}"))).toEqual([]);
  });
});

describe("frontmatter", () => {
  test.each([
    ["another step", "stepId: initial.other", ["PROMPT_FRONTMATTER_DIFFERS"]],
    ["other variables", "uvVariables:\n  - number", ["PROMPT_FRONTMATTER_DIFFERS"]],
    ["the same variables in a block list", "uvVariables:\n  - issue", []],
    ["custom variables", "customVariables: [body]", ["PROMPT_CUSTOM_VARIABLE"]],
    ["what is no YAML", "a: [", ["PROMPT_FRONTMATTER"]],
  ])("that says %s is held against the step", (_, yaml, expected) => {
    expect(codes(problemsOf(mini(WORK, `---\n${yaml}\n---\n{uv-issue}`)))).toEqual(expected);
  });

  test("is only what begins in the first line", () => {
    expect(splitFrontmatter("Text\n---\na: 1\n---\n").body).toBe("Text\n---\na: 1\n---\n");
    expect(splitFrontmatter("\uFEFF---\r\na: 1\r\n---\r\n\r\nText\r\n")).toMatchObject({
      body: "Text\r\n",
      front: { a: 1 },
      offset: 4,
    });
    expect(splitFrontmatter("---\n---\nText")).toMatchObject({ body: "Text", front: {} });
  });
});

describe("a retry prompt", () => {
  test.each([
    ["a block that never ends", "a\n{{#if changedFiles}}x", 2],
    ["an end without a beginning", "{{/each}}", 1],
    ["an unknown block", "{{#unless changedFiles}}{{/unless}}", 1],
  ])("with %s is refused with its line", (_, text, line) => {
    expect(problem(mini(RETRY, text), "RETRY_TEMPLATE_BROKEN")).toMatchObject({ file: RETRY, line });
  });

  test("with a parameter that no validator gives is a warning; an item's own fields are not meant", () => {
    expect(problem(mini(RETRY, "{{changedFile}}"), "RETRY_PARAM_UNKNOWN").severity).toBe("warning");
    expect(problemsOf(mini(RETRY, "{{#each changedFiles}}{{this.name}} {{name}} {{@index}}{{/each}}"))).toEqual([]);
  });

  test("with a placeholder that nothing supplies is refused", () => {
    expect(codes(problemsOf(mini(RETRY, "{uv-nobody}")))).toEqual(["VARIABLE_UNSUPPLIED"]);
  });
});

describe("what was handed on", () => {
  test("is supplied to a retry prompt, the closure step's own values and inputs included", () => {
    const files = edit(
      mini(RETRY, "{{changedFiles}} {uv-initial_task_plan} {uv-closure_task_summary} {uv-shape}"),
      "steps_registry.json",
      (registry) => {
        set(registry, ["steps", "closure.task", "structuredGate", "handoffFields"], ["summary"]);
        set(registry, ["steps", "closure.task", "inputs"], { shape: { from: "initial.task.plan" } });
      },
    );

    expect(problemsOf(files)).toEqual([]);
  });

  test("is a warning in a retry prompt that some paths reach without it", () => {
    const files = edit(mini(RETRY, "{{changedFiles}} {uv-initial_task_plan}"), "steps_registry.json", (registry) =>
      set(registry, ["entryStep"], "closure.task"),
    );

    expect(codes(problemsOf(files))).toEqual(["VARIABLE_NOT_ALWAYS"]);
  });

  test("is supplied to a validator's command and to a semantic validator's sentence", () => {
    const validator = (more: object) => miniWith("registry", ["validators", "git-clean"], { ...more });
    const command = { type: "command", command: `test -n $\{initial_task_plan}` };
    const sentence = (name: string) => ({ type: "semantic", prompt: `{uv-${name}} is carried out` });

    expect(codes(problemsOf(validator(command)))).toEqual([]);
    expect(codes(problemsOf(validator(sentence("initial_task_plan"))))).toEqual([]);
    expect(problem(validator(sentence("initial_task_plen")), "VARIABLE_UNSUPPLIED")).toMatchObject({
      path: "validators.git-clean.prompt",
      fix: "Did you mean {uv-initial_task_plan}?",
    });
  });
});
