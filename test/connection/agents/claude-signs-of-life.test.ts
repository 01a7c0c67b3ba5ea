import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import { allowedSilence, isSignOfLife } from "../../../src/connection/agents/claude/reply.ts";

const message = (type: string, subtype?: string) => ({ type, subtype }) as unknown as SDKMessage;

test.each([
  ["a piece of an answer", message("stream_event"), true],
  ["a whole answer", message("assistant"), true],
  ["a tool's heartbeat", message("tool_progress"), true],
  ["news of a background task", message("system", "task_started"), true],
  ["another attempt to reach the model", message("system", "api_retry"), false],
  ["the word that it is being asked", message("system", "status"), false],
])("%s counts as life: %s", (_name, one, counts) => {
  expect(isSignOfLife(one)).toBe(counts);
});

test("a running tool may be silent for as long as its heartbeat takes, or as long as was allowed", () => {
  expect(allowedSilence(10, true)).toBeGreaterThan(30);
  expect(allowedSilence(600, true)).toBe(600);
  expect(allowedSilence(10, false)).toBe(10);
  expect(allowedSilence(null, true)).toBeNull();
});
