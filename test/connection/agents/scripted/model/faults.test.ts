import { expect, test } from "vitest";
import { fault, say, scene } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import { ask, askAndLeave, play, post } from "./client.ts";

test.each([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [418, "invalid_request_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [503, "api_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
])("status %i is an error of type %s, streamed or not", async (status, type) => {
  const model = await play(scene({}, { ...fault(status), times: 2 }));

  for (const stream of [false, true]) {
    const reply = await ask(model, { stream });
    expect(reply).toMatchObject({ status, type: "error", error: { type, message: expect.stringMatching(/./) } });
  }
});

test("a fault may have its own message and say when to come again", async () => {
  const model = await play(scene({}, fault({ status: 529, message: "Full house", retry_after: 3 })));

  const { status, error, headers } = await ask(model);

  expect([status, error?.message, headers.get("retry-after")]).toEqual([529, "Full house", "3"]);
});

test("a fault that only says when to come again is a rate limit", async () => {
  const model = await play(scene({}, fault({ retry_after: 0 })));

  expect(await ask(model)).toMatchObject({ status: 429 });
});

test("a used-up subscription limit says when it resets", async () => {
  const model = await play(scene({}, fault({ resets_at: 2_000_000_000 })));

  const { status, headers } = await ask(model);

  expect(status).toBe(429);
  expect(headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
  expect(headers.get("anthropic-ratelimit-unified-reset")).toBe("2000000000");
  expect(headers.get("anthropic-ratelimit-unified-representative-claim")).toBe("five_hour");
});

test("a limit may reset a while after the answer, whenever that is", async () => {
  const model = await play(scene({}, fault({ resets_in: 60 })));
  const before = Math.floor(Date.now() / 1000);

  const reset = Number((await ask(model)).headers.get("anthropic-ratelimit-unified-reset"));

  expect(reset).toBeGreaterThanOrEqual(before + 60);
  expect(reset).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 60);
});

test.each([false, true])("a malformed reply cannot be parsed (streamed: %s)", async (stream) => {
  const model = await play(scene({}, fault({ kind: "malformed" })));

  const response = await post(model, { stream });
  const body = await response.text();

  expect(response.status).toBe(200);
  expect(() => JSON.parse(body.split("data: ").at(-1) ?? "")).toThrow();
});

test.each([false, true])("an empty reply has a good status and nothing else (streamed: %s)", async (stream) => {
  const model = await play(scene({}, fault({ kind: "empty" })));

  const response = await post(model, { stream });

  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("an HTML page comes with the status a gateway would give it", async () => {
  const model = await play(
    scene({}, fault({ kind: "html" }), fault({ kind: "html", status: 502, message: "<p>Nobody home</p>" })),
  );

  const [first, second] = [await post(model), await post(model)];

  expect([first.status, second.status]).toEqual([200, 502]);
  expect(first.headers.get("content-type")).toContain("text/html");
  expect(await first.text()).toContain("<html>");
  expect(await second.text()).toBe("<p>Nobody home</p>");
});

test("a disconnected stream begins and then breaks off", async () => {
  const model = await play(scene({}, fault({ kind: "disconnect" })));

  const response = await post(model, { stream: true });
  const reader = response.body?.getReader();

  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("message_start");
  await expect(reader?.read()).rejects.toThrow();
});

test("without a stream a disconnect is the whole answer", async () => {
  const model = await play(scene({}, fault({ kind: "disconnect" })));

  await expect(post(model)).rejects.toThrow();
});

test("a stalled stream begins, says no more, and ends only with the server", async () => {
  const model = await play(scene({}, fault({ kind: "stall" })));
  const response = await post(model, { stream: true });
  const reader = response.body?.getReader();
  await reader?.read();

  const rest = reader?.read().then(
    () => "more",
    () => "broken off",
  );
  const waited = new Promise((resolve) => setTimeout(resolve, 200, "silence"));

  expect(await Promise.race([rest, waited])).toBe("silence");
  await model.close();
  expect(await rest).toBe("broken off");
});

test("a client that gives up a stalled request can ask again and is answered", async () => {
  const model = await play(scene({}, fault({ kind: "stall" }), say("back")));

  await askAndLeave(model);

  expect(await ask(model)).toMatchObject({ content: [{ text: "back" }] });
});
