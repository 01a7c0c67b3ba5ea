import { describe, expect, test } from "vitest";
import { requireAgents } from "../../src/compose/requirements.ts";
import type { Criterion } from "../../src/model/criterion.ts";
import { lackingFor } from "../../src/model/flow/step-needs.ts";
import type { Step } from "../../src/model/flow/steps-registry.ts";
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

describe("an agent takes a step", () => {
  const can = (withholds_tools: boolean, structured_answers: boolean) => ({ withholds_tools, structured_answers });
  const gate = {
    structuredGate: {
      allowedIntents: ["next"],
      intentField: "x",
      intentSchemaRef: "#/x",
      handoffFields: [],
      failFast: true,
    },
  } as Partial<Step>;
  const schema = { outputSchemaRef: { file: "x.json", schema: "x" } };

  test.each<[string, Partial<Step>, ReturnType<typeof can>, string[]]>([
    ["that wants a text, whatever it can do", {}, can(false, false), []],
    ["with a gate, if it answers by schema", gate, can(false, false), ["structured_answers"]],
    ["with an output schema, if it answers by schema", schema, can(true, false), ["structured_answers"]],
    [
      "that verifies, if its tool calls can be refused",
      { stepKind: "verification" },
      can(false, true),
      ["withholds_tools"],
    ],
    ["of any kind, if it can do both", { ...gate, stepKind: "verification" }, can(true, true), []],
    [
      "that a program takes: it needs nothing",
      { ...gate, runner: { command: "x", args: [], timeout: 1 } },
      can(false, false),
      [],
    ],
  ])("%s", (_name, more, capabilities, lacking) => {
    const step = { stepId: "initial.x", stepKind: "work", ...more } as Step;
    expect(lackingFor(step, capabilities)).toEqual(lacking);
  });
});
