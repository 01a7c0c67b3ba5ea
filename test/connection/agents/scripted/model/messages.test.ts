import { expect, test } from "vitest";
import { answer, say, scene, use } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import { ask, play, post } from "./client.ts";

test("a turn that speaks is a text block with the default usage", async () => {
  const model = await play(scene({}, say("Grüße, 世界 👩‍👩‍👧")));

  expect(await ask(model)).toMatchObject({
    status: 200,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5",
    content: [{ type: "text", text: "Grüße, 世界 👩‍👩‍👧" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  });
});

test("a turn may speak and use several tools at once, each call with an id of its own", async () => {
  const model = await play(
    scene(
      {},
      {
        say: "Both.",
        use: [
          { tool: "Read", input: { file_path: "a" } },
          { tool: "Bash", input: { command: "ls" } },
        ],
      },
    ),
  );

  const { content, stop_reason } = await ask(model);

  expect(stop_reason).toBe("tool_use");
  expect(content).toMatchObject([
    { type: "text", text: "Both." },
    { type: "tool_use", name: "Read", input: { file_path: "a" } },
    { type: "tool_use", name: "Bash", input: { command: "ls" } },
  ]);
  expect(content[1]?.id).toMatch(/^toolu_\w+$/);
  expect(content[1]?.id).not.toBe(content[2]?.id);
});

test("token numbers and the reason for stopping come from the story", async () => {
  const model = await play(
    scene(
      {},
      {
        say: "half a sen",
        stop: "max_tokens",
        tokens: { input: 7, output: 8, cache_creation: 9, cache_read: 10 },
      },
    ),
  );

  expect(await ask(model)).toMatchObject({
    stop_reason: "max_tokens",
    usage: { input_tokens: 7, output_tokens: 8, cache_creation_input_tokens: 9, cache_read_input_tokens: 10 },
  });
});

test("a refusal may come without a word", async () => {
  const model = await play(scene({}, { stop: "refusal" }));

  expect(await ask(model)).toMatchObject({ stop_reason: "refusal", content: [] });
});

test.each([
  [
    "Claude Code's tool",
    { tools: [{ name: "Bash" }, { name: "StructuredOutput" }], output_config: { effort: "high" } },
    { type: "tool_use", name: "StructuredOutput", input: { ok: true } },
  ],
  [
    "a JSON schema format",
    { output_config: { format: { type: "json_schema", schema: {} } } },
    { type: "text", text: '{"ok":true}' },
  ],
  [
    "a forced tool named json",
    { tools: [{ name: "json" }], tool_choice: { type: "any" } },
    { type: "tool_use", name: "json", input: { ok: true } },
  ],
  [
    "a tool named json chosen by name",
    { tools: [{ name: "json" }], tool_choice: { type: "tool", name: "json" } },
    { type: "tool_use", name: "json", input: { ok: true } },
  ],
  ["nothing in particular", { tools: [{ name: "json" }] }, { type: "text", text: '{"ok":true}' }],
])("an answer takes the form the client asked for: %s", async (_, asked, expected) => {
  const model = await play(scene({}, answer({ ok: true })));

  const { content } = await ask(model, asked);

  expect(content).toHaveLength(1);
  expect(content[0]).toMatchObject(expected);
});

test("a streamed reply is the API's sequence of events and adds up to the same content", async () => {
  const long = "naïve 👍🏽 ".repeat(30);
  const model = await play(scene({}, { say: long, use: [{ tool: "Write", input: { content: long } }] }));

  const response = await post(model, { stream: true });
  const events = parse(await response.text());

  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(collapsed(events.map((event) => event.type))).toEqual([
    "message_start",
    "ping",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  const deltas = events.filter((event) => event.type === "content_block_delta");
  expect(deltas.map((event) => event.delta?.text ?? "").join("")).toBe(long);
  expect(JSON.parse(deltas.map((event) => event.delta?.partial_json ?? "").join(""))).toEqual({ content: long });
  expect(deltas.every((event) => (event.delta?.text ?? event.delta?.partial_json ?? "").isWellFormed())).toBe(true);
  expect(events[0]?.message).toMatchObject({ content: [], usage: { input_tokens: 100 } });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } });
});

test("a delay comes before the reply", async () => {
  const model = await play(scene({}, { ...say("late"), delay_ms: 150 }));
  const begin = performance.now();

  await ask(model);

  expect(performance.now() - begin).toBeGreaterThan(140);
});

test("tokens can be counted without a scene being played", async () => {
  const model = await play(scene({}, say("still here")));

  const response = await fetch(`${model.url}/v1/messages/count_tokens`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(400) }] }),
  });

  expect(((await response.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(100);
  expect(model.requests).toEqual([]);
  expect(await ask(model)).toMatchObject({ content: [{ text: "still here" }] });
});

test("a look at the root is harmless, and other places do not exist", async () => {
  const model = await play(scene({}, use("Bash", { command: "ls" })));

  const statuses = await Promise.all([
    fetch(model.url, { method: "HEAD" }),
    fetch(model.url),
    fetch(`${model.url}/v1/models`),
    fetch(`${model.url}/v1/complete`, { method: "POST", body: "{}" }),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
  expect(model.requests).toEqual([]);
});

test.each(["", "{", "[]", '{"model":"m"}'])("a body that is not a Messages request is refused: %j", async (body) => {
  const model = await play(scene({}, say("unreached")));

  const response = await fetch(`${model.url}/v1/messages`, { method: "POST", body });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
});

interface StreamEvent {
  type: string;
  message?: object;
  delta?: { text?: string; partial_json?: string; stop_reason?: string };
}

function parse(stream: string): StreamEvent[] {
  return stream
    .trimEnd()
    .split("\n\n")
    .map((event) => {
      const [name, data] = event.split("\n");
      const parsed = JSON.parse(data?.replace("data: ", "") ?? "") as StreamEvent;
      expect(name).toBe(`event: ${parsed.type}`);
      return parsed;
    });
}

function collapsed(types: string[]): string[] {
  return types.filter((type, index) => type !== types[index - 1]);
}
