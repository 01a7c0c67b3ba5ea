import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkDefinition } from "../../src/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const MINI = fileURLToPath(new URL("../configuration/flow/fixtures/mini/", import.meta.url));

test("the library reports a problem in English words, with its values", async () => {
  const project = await temporaryDirectory();
  const flow = join(project, ".agent/mini");
  await cp(MINI, flow, { recursive: true });
  await rm(join(flow, "prompts/steps/closure"), { recursive: true });

  expect(await checkDefinition(project, "mini")).toEqual({
    directory: flow,
    problems: [
      {
        code: "PROMPT_MISSING",
        severity: "error",
        file: "steps_registry.json",
        path: 'steps["closure.task"]',
        line: expect.any(Number),
        message: 'There is no prompt for the step "closure.task".',
        why: "The step could not be asked to do anything.",
        fix: "Add prompts/steps/closure/task/f_default.md, or prompts/closure_task.md.",
        details: expect.objectContaining({ step: "closure.task" }),
      },
    ],
  });
});
