import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { ThreadStatus } from "../../../src/connection/agents/acp/thread-status.ts";

function after(...updates: object[]): ThreadStatus {
  const status = new ThreadStatus();
  for (const update of updates) status.read(update as SessionUpdate);
  return status;
}

function thread(type: string): object {
  return { sessionUpdate: "session_info_update", _meta: { codex: { threadStatus: { type } } } };
}

function chunk(text: string, more: object = {}): object {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more };
}

test("an error that Codex tells as if it were its answer is known as one, in its words", () => {
  const said = "exceeded retry limit, last status: 429 Too Many Requests\n\n";

  expect(after(thread("active"), thread("systemError"), chunk(said)).error).toBe(said.trim());
});

test("a thread that works is no error, whatever the model says", () => {
  const answer = chunk("last status: 429 Too Many Requests", { messageId: "msg_1" });

  expect(after(thread("active"), chunk("Warning: no metadata"), answer, thread("idle")).error).toBeUndefined();
  expect(after(thread("systemError"), thread("active"), answer, thread("idle")).error).toBeUndefined();
});
