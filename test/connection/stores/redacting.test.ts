import { expect, test } from "vitest";
import type { Doors } from "../../../src/connection/ports/doors.ts";
import { MemoryStore } from "../../../src/connection/stores/memory/memory-store.ts";
import { redactingStore } from "../../../src/connection/stores/redacting.ts";
import type { AgentFailure } from "../../../src/model/agent.ts";
import { configuration } from "../../support/stored.ts";

const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:05.000Z") };

test("a run has the accounts that its store shares; why one is closed is told to others without secrets", async () => {
  const closed: [string, AgentFailure, number][] = [];
  const doors: Doors = {
    enter: (account) => ({ refusal: { code: "usage_limit", message: account } }),
    close: (...one) => void closed.push(one),
  };
  const inner = new MemoryStore();
  inner.open = opening(inner, doors);
  const store = redactingStore(inner, (text) => text.replaceAll("s3cr3t", "[redacted: KEY]"));

  const task = await store.open(await store.create(request));
  const entry = await task.doors?.enter("claude team", new AbortController().signal);
  await task.doors?.close("claude team", { code: "usage_limit", message: "no credit for s3cr3t" }, 7);
  await task.release();

  expect(entry).toEqual({ refusal: { code: "usage_limit", message: "claude team" } });
  expect(closed).toEqual([["claude team", { code: "usage_limit", message: "no credit for [redacted: KEY]" }, 7]]);
});

/** Opens tasks with accounts that runs share. */
function opening(store: MemoryStore, doors: Doors): MemoryStore["open"] {
  const open = store.open.bind(store);
  return async (id) => Object.assign(await open(id), { doors });
}
