import { expect, test } from "vitest";
import { silenceOf } from "../../../src/connection/agents/create-agents.ts";
import type { BackendName } from "../../../src/connection/agents/registry.ts";
import type { AgentChoice } from "../../../src/model/configuration.ts";
import { PLAIN_CONFIGURATION } from "../../support/plain-configuration.ts";

test.each<[string, AgentChoice, BackendName, Record<"said" | "allowed", number | null>]>([
  ["a role, as long as the worker, where both are Claude Code", "claude", "claude", { said: 60, allowed: 60 }],
  ["a role, for ever, where that was said", "claude", "api", { said: null, allowed: null }],
  [
    "a role, a quarter of an hour beside a program that may be silent for ever",
    { command: "x" },
    "claude",
    { said: null, allowed: 900 },
  ],
  ["a role, as long as was said, beside a program", { command: "x" }, "api", { said: 60, allowed: 60 }],
  ["a program, for ever", { command: "x" }, "command", { said: null, allowed: null }],
])("silence is allowed to %s", (_name, agent, backend, { said, allowed }) => {
  expect(silenceOf(backend, { ...PLAIN_CONFIGURATION, agent, silence_timeout: said })).toBe(allowed);
});
