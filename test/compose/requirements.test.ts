import { describe, expect, test } from "vitest";
import { canTakeSteps, requireAgents } from "../../src/compose/requirements.ts";
import { capabilitiesOf } from "../../src/connection/agents/registry.ts";
import type { Criterion } from "../../src/model/criterion.ts";
import { PLAIN_CONFIGURATION } from "../support/plain-configuration.ts";

const CHECK: Criterion = { type: "command", command: "true" };
const FILES: Criterion = { type: "unchanged", files: ["test"] };
const SENTENCE: Criterion = { type: "semantic", text: "it works" };
const models = { intake: "openai:gpt-5", executor: "sonnet", summarizer: "none", judge: "openai:gpt-5" };
const project = "/project";

describe("a key is demanded", () => {
  test.each([
    ["of the intake that will be asked", { intake: true, criteria: [CHECK, SENTENCE] }, "intake"],
    ["of the judge, where there is no intake", { intake: false, criteria: [SENTENCE] }, "judge"],
  ])("%s", async (_name, settings, roles) => {
    const configuration = { ...PLAIN_CONFIGURATION, ...settings, models };
    await expect(requireAgents({ configuration, project, environment: {} })).rejects.toThrow(
      expect.objectContaining({ code: "api_key_missing", details: expect.objectContaining({ roles }) }),
    );
    await requireAgents({ configuration, project, environment: { OPENAI_API_KEY: "fake" } });
  });

  test("of roles that are used only: with checks alone there is neither intake nor judge", async () => {
    const configuration = { ...PLAIN_CONFIGURATION, intake: true, criteria: [CHECK, FILES], models };
    await requireAgents({ configuration, project, environment: {} });
  });
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, false],
])(
  "an agent with withholds_tools %s and structured_answers %s takes the steps of a flow: %s",
  (withholds_tools, structured_answers, can) => {
    expect(canTakeSteps({ ...capabilitiesOf("claude"), withholds_tools, structured_answers })).toBe(can);
  },
);
