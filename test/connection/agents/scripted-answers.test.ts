import { describe, expect, test } from "vitest";
import { answer, fault, say, scene, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { DONE, play } from "./scripted-play.ts";
import { scriptedAgent } from "./scripted-support.ts";
import { assign, hear, only } from "./support.ts";

describe("a structured answer", () => {
  const WRONG = answer({ status: 1 });

  test("that does not fit is asked for again", async () => {
    const { reply, results } = await play([WRONG, DONE]);

    expect(results[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("root/status must be string"),
    });
    expect(reply).toMatchObject({ structured: { status: "done" } });
  });

  test("that never fits is malformed", async () => {
    const { reply } = await play([{ ...WRONG, times: 5 }, DONE]);

    expect(reply.failure).toMatchObject({ code: "malformed" });
  });

  test("may stand in the text of a model that was reminded in vain", async () => {
    const { reply } = await play([say("Done."), say('It is {"status": "written"}.')]);

    expect(reply).toMatchObject({ structured: { status: "written" } });
    expect(reply.failure).toBeUndefined();
  });
});

describe("what goes wrong has the code that it has with Claude Code:", () => {
  test.each<[string, Turn[]]>([
    ["rate_limit", [fault(429)]],
    ["usage_limit", [fault({ resets_in: 60 })]],
    ["overloaded", [fault(529)]],
    ["server", [fault(500)]],
    ["authentication", [fault(401)]],
    ["billing", [fault({ status: 400, message: "Your credit balance is too low" })]],
    ["context_overflow", [fault({ status: 400, message: "prompt is too long: 2 tokens > 1 maximum" })]],
    ["configuration", [fault(404)]],
    ["network", [fault({ kind: "disconnect" })]],
    ["malformed", [fault({ kind: "malformed" }), fault({ kind: "html" })]],
    ["server", [fault({ kind: "html", status: 502 })]],
    ["refused", [{ stop: "refusal", times: 2 }]],
    ["context_overflow", [{ say: "on and on", stop: "max_tokens", times: 4 }]],
    ["turn_limit", [{ ...use("Bash", { command: "true" }), times: 10 }]],
  ])("%s: %j", async (code, turns) => {
    const { reply } = await play(turns);

    expect(reply.failure).toMatchObject({ code });
    expect(reply.structured).toBeUndefined();
  });

  test("a story without a scene for the role", async () => {
    const { reply } = await hear(scriptedAgent([scene("judge", DONE)]), assign());

    expect(reply.failure).toEqual({
      code: "configuration",
      message: 'The story has no scene for "executor".',
    });
  });

  test("a stall is silence", async () => {
    const { reply } = await play([fault({ kind: "stall" })], { silence_seconds: 0.2 });

    expect(reply.failure).toMatchObject({ code: "silent" });
  });

  test("a command is not, however long it says nothing", async () => {
    const { reply } = await play([use("Bash", { command: "sleep 0.6" }), DONE], { silence_seconds: 0.2 });

    expect(reply.failure).toBeUndefined();
  });

  test("a limit reports when it resets", async () => {
    const { reply } = await play([fault({ status: 429, retry_after: 30 })]);

    expect((reply.failure?.retry_at ?? 0) - Date.now()).toBeGreaterThan(20_000);
  });

  test("passing faults are retried as often as Claude Code is set to", async () => {
    const environment = { PATH: process.env.PATH, CLAUDE_CODE_MAX_RETRIES: "2" };
    const calm = await play([{ ...fault(529), times: 2 }, DONE], { environment });
    const stormy = await play([{ ...fault(529), times: 3 }, DONE], { environment });

    expect(calm.reply.structured).toEqual({ status: "done" });
    expect(stormy.reply.failure).toMatchObject({ code: "overloaded" });
  });
});

test("what the story spends is reported, and so it is in the raw log", async () => {
  const { reply, messages } = await play([
    { ...use("Bash", { command: "true" }), tokens: { input: 7, output: 5, cache_creation: 2, cache_read: 100 } },
    { ...DONE, tokens: { input: 1, output: 1 } },
  ]);

  expect(reply.usage).toMatchObject({ tokens: 16, cost_usd: 0 });
  const usage = { input_tokens: 8, output_tokens: 6, cache_creation_input_tokens: 2, cache_read_input_tokens: 100 };
  expect(messages.at(-1)).toMatchObject({ type: "result", usage });
});

test("one notice says that the agent is scripted", async () => {
  const agent = scriptedAgent([{ ...scene("executor", DONE), repeat: true }]);

  const first = await hear(agent, assign());
  const second = await hear(agent, assign());

  expect(only(first.events, "notice")).toMatchObject([{ notice: { code: "scripted_agent" } }]);
  expect(only(second.events, "notice")).toEqual([]);
});

test("roles have no tools", async () => {
  const agent = scriptedAgent([scene("judge", use("Bash", { command: "touch /tmp/never" }), DONE)]);

  const { reply } = await hear(agent, assign({ role: "judge" }));

  expect(reply).toMatchObject({ structured: { status: "done" } });
});
