import { expect, test } from "vitest";
import { KNOWN_AGENTS } from "../../../src/connection/agents/acp/known-agents.ts";
import { message } from "../../../src/model/message.ts";
import { type AcpScript, acpBox, acpProgram } from "./acp-support.ts";
import { assign, hear } from "./support.ts";

const DONE = { say: '{"status": "done"}' };

/** As opencode 1.18.33 writes it. */
function refused(said: string, { session = "session-1", small = false } = {}) {
  const words = `message="stream error" providerID=p modelID=m session.id=${session} small=${small} agent=build`;
  return {
    stderr: `timestamp=2026-11-19T15:50:27.800Z level=ERROR run=1 ${words} mode=primary error.error="${said}"\n`,
  };
}

async function work(acts: readonly object[], silence_seconds: number) {
  const script: AcpScript = { prompts: [acts] };
  const box = await acpBox(script);
  const program = acpProgram(script, KNOWN_AGENTS.opencode);
  return (await hear(box.agent({ program, silence_seconds }), assign())).reply;
}

test.each([
  ["AI_APICallError: This request would exceed the rate limit", "rate_limit"],
  ["AI_APICallError: You exceeded your current quota: insufficient_quota", "billing"],
  ["AI_APICallError: Overloaded", "overloaded"],
  ["AI_APICallError: Cannot connect to API: Unable to connect. Is the computer able to access the url?", "network"],
  ["AI_APICallError: invalid x-api-key", "authentication"],
] as const)("what its log says of its model is why it is silent: %s", async (said, code) => {
  const { failure } = await work([refused(said), refused(said), { hang: "I was cut off." }], 1);

  expect(failure?.code).toBe(code);
  expect(JSON.stringify(failure?.message)).toContain(said);
});

test("it may ask again by itself, and then its work counts", async () => {
  const { failure, structured } = await work([refused("AI_APICallError: Overloaded"), { wait: 500 }, DONE], 30);

  expect(failure).toBeUndefined();
  expect(structured).toEqual({ status: "done" });
});

test.each([
  ["another session", refused("AI_APICallError: Overloaded", { session: "session-9" })],
  ["a title", refused("AI_APICallError: Overloaded", { small: true })],
  ["something else", { stderr: "level=ERROR message=x\n" }],
])("what it says of %s says nothing about the answer", async (_, line) => {
  const { failure } = await work([line, { hang: true }], 1);

  expect(failure).toEqual({ code: "silent", message: message("agent_silent", { seconds: 1 }) });
});
