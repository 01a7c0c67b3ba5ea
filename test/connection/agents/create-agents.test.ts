import { expect, test } from "vitest";
import { silenceOfRoles } from "../../../src/connection/agents/create-agents.ts";
import { PLAIN_CONFIGURATION } from "../../support/plain-configuration.ts";

test.each([
  ["as long as the worker, where both are Claude Code", "claude" as const, 60, 60],
  ["for ever, where that was said", "claude" as const, null, null],
  ["no longer than a quarter of an hour beside a program that may be silent for ever", { command: "x" }, null, 900],
  ["as long as was said, beside a program", { command: "x" }, 60, 60],
])("the roles may be silent %s", (_name, agent, silence_timeout, expected) => {
  expect(silenceOfRoles({ ...PLAIN_CONFIGURATION, agent, silence_timeout })).toBe(expected);
});
