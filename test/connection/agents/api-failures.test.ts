import { describe, expect, test } from "vitest";
import { thrownFailure } from "../../../src/connection/agents/api/failures.ts";
import { retryAt } from "../../../src/connection/agents/api/retry-at.ts";
import type { FailureCode } from "../../../src/model/agent.ts";
import { PROVIDERS, type Provider } from "../../../src/model/api-model.ts";
import { teller } from "../../../src/texts/tell.ts";
import { freePort } from "../../support/free-port.ts";
import { saying } from "../../support/saying.ts";
import { eventually } from "../processes/helpers.ts";
import { answers, json, judgeAt, KEY_OF, KEYS, question, type Respond, vendor } from "./api-support.ts";
import { hear } from "./support.ts";

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

async function failureOf(provider: Provider, respond: Respond) {
  const server = await vendor(respond);
  const { reply } = await hear(judgeAt(server.url, provider), question());
  return { ...reply.failure, requests: server.requests.length, usage: reply.usage };
}

const CHAT = { length: "length", filter: "content_filter" };
const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";

describe.each(PROVIDERS)("over %s,", (provider) => {
  test.each<[string, number, object, FailureCode]>([
    ["a key that is refused", 401, error("invalid x-api-key"), "authentication"],
    ["a key that may not do this", 403, error("not allowed"), "authentication"],
    ["an account that cannot pay", 402, error("Payment required"), "billing"],
    ["credit that is used up", 400, error("Your credit balance is too low to access the API"), "billing"],
    ["a quota that is used up", 429, error("You exceeded your quota", { code: "insufficient_quota" }), "billing"],
    [
      "a model that does not exist",
      404,
      error("model: gpt-x does not exist", { code: "model_not_found" }),
      "configuration",
    ],
    ["a request that is wrong", 400, error("temperature: unsupported value"), "configuration"],
    ["too many requests", 429, error("slow down"), "rate_limit"],
    [
      "too many requests, with advice on buying more",
      429,
      error("Rate limit reached. Add a payment method at https://platform.openai.com/account/billing to get more.", {
        type: "requests",
        code: "rate_limit_exceeded",
      }),
      "rate_limit",
    ],
    ["a request larger than any minute's limit", 429, error("Request too large for gpt-5"), "context_overflow"],
    ["an overloaded server", 529, error("Overloaded", { type: "overloaded_error" }), "overloaded"],
    ["a server out of service", 503, error("Service unavailable"), "overloaded"],
    ["a server that breaks", 500, error("Internal server error"), "server"],
    ["a gateway that breaks", 502, error("Bad gateway"), "server"],
    ["a prompt that is too long", 400, error("prompt is too long: 210000 tokens > 200000 maximum"), "context_overflow"],
    ["a context that is too long", 400, error("too long", { code: "context_length_exceeded" }), "context_overflow"],
    ["a request that is too large", 413, error("Request too large"), "context_overflow"],
    ["a prompt that is filtered", 400, error("blocked", { code: "content_filter" }), "refused"],
    ["an error that is only a text", 500, { error: "model runner has stopped" }, "server"],
    ["an error without the usual form", 429, { object: "error", message: "busy" }, "rate_limit"],
  ])("%s (%i) is told apart, after one request", async (_, status, body, code) => {
    const failure = await failureOf(provider, (response) => json(response, status, body));

    expect(failure).toMatchObject({ code, requests: 1, usage: { tokens: 0 } });
    expect(failure.message).toContain(String(status));
  });

  test.each<[string, Respond, FailureCode]>([
    ["HTML from a gateway", (response) => void response.writeHead(502).end("<html>Bad gateway</html>"), "server"],
    ["HTML instead of an answer", (response) => void response.writeHead(200).end("<html>Welcome</html>"), "malformed"],
    ["garbage", (response) => void response.writeHead(200).end(Buffer.from([0, 255, 1, 254])), "malformed"],
    ["nothing at all", (response) => void response.writeHead(200).end(), "malformed"],
    ["JSON of another kind", (response) => json(response, 200, { hello: "world" }), "malformed"],
    ["a change to another protocol", (response) => void response.socket?.end(SWITCHING), "network"],
    ["a connection that breaks at once", (response) => void response.destroy(), "network"],
    [
      "a connection that breaks in the middle",
      (response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"id":');
        setImmediate(() => response.destroy());
      },
      "network",
    ],
  ])("%s is a failure, not an exception", async (_, respond, code) => {
    const failure = await failureOf(provider, respond);

    expect(failure).toMatchObject({ code, requests: 1 });
    expect(teller("ja")(failure.message ?? "")).toMatch(/\S/);
  });

  test("words instead of JSON are malformed, and paid for", async () => {
    const failure = await failureOf(provider, (response) => json(response, 200, answers[provider]("It looks fine.")));

    expect(failure).toMatchObject({ code: "malformed" });
    expect(failure.usage.tokens).toBeGreaterThan(100);
  });

  test.each<["length" | "filter", FailureCode]>([
    ["length", "malformed"],
    ["filter", "refused"],
  ])("an answer ended by %s is no answer, and paid for", async (end, code) => {
    const stops = {
      anthropic: { length: "max_tokens", filter: "refusal" },
      openai: { length: "max_output_tokens", filter: "content_filter" },
      "openai-compatible": CHAT,
      openrouter: CHAT,
      ollama: CHAT,
      azure: { length: "max_output_tokens", filter: "content_filter" },
      google: { length: "MAX_TOKENS", filter: "SAFETY" },
      bedrock: { length: "max_tokens", filter: "guardrail_intervened" },
    }[provider];
    const body = answers[provider]('{"status": "done"}', { stop: stops[end] });

    const failure = await failureOf(provider, (response) => json(response, 200, body));

    expect(failure).toMatchObject({ code });
    expect(failure.usage.tokens).toBeGreaterThan(100);
  });

  test("a server that is not there is a failure of the network", async () => {
    const { reply } = await hear(judgeAt(`http://127.0.0.1:${await freePort()}`, provider), question());

    expect(reply.failure).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
  });

  test("a host that does not exist is a failure of the network", async () => {
    const { reply } = await hear(judgeAt("http://no-such-host.invalid", provider), question());

    expect(reply.failure?.code).toBe("network");
  });

  test("a server that never answers is silent", async () => {
    const server = await vendor();

    const { reply } = await hear(judgeAt(server.url, provider, { silence_seconds: 0.3 }), question());

    expect(reply.failure).toMatchObject({ code: "silent" });
    await eventually("the connection is closed", () => server.open.size === 0);
  });

  test("a server that never finishes is out of time, however much it sends", async () => {
    const server = await vendor((response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
    });

    const limits = { timeout_seconds: 1.5, silence_seconds: 1 };
    const { reply } = await hear(judgeAt(server.url, provider, limits), question());

    expect(reply.failure).toMatchObject({ code: "timeout" });
    await eventually("the connection is closed", () => server.open.size === 0);
  });

  test("an abort ends the request", async () => {
    const server = await vendor();
    const controller = new AbortController();
    const work = hear(judgeAt(server.url, provider), question(), controller.signal);
    await eventually("it is asked", () => server.open.size === 1);

    controller.abort();

    expect((await work).reply.failure).toMatchObject({ message: saying("it was cancelled") });
    await eventually("the connection is closed", () => server.open.size === 0);
  });

  test("a key that a server quotes is not repeated", async () => {
    const failure = await failureOf(provider, (response) =>
      json(response, 401, error(`unknown keys: ${Object.values(KEYS).join(" ")}`)),
    );

    expect(JSON.stringify(failure.message)).not.toContain(KEYS[KEY_OF[provider]]);
    expect(failure).toMatchObject({ code: "authentication", variable: KEY_OF[provider] });
  });
});

test.each<[string, FailureCode]>([
  ["server_error", "server"],
  ["rate_limit_exceeded", "rate_limit"],
])("OpenAI's %s in an answer with status 200 passes", async (code, expected) => {
  const failed = { ...answers.openai(""), status: "failed", output: [], error: { code, message: "try again" } };

  expect(await failureOf("openai", (response) => json(response, 200, failed))).toMatchObject({ code: expected });
});

test("a certificate that cannot be trusted is for the user to mend, not to wait for", () => {
  const error = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });

  expect(thrownFailure(new Error("Cannot connect", { cause: error }))).toMatchObject({ code: "configuration" });
});

test("what an unreadable answer says it has cost is counted", async () => {
  const failure = await failureOf("openai-compatible", (response) =>
    json(response, 200, { choices: "none", usage: { prompt_tokens: 50, completion_tokens: 5 } }),
  );

  expect(failure).toMatchObject({ code: "malformed", usage: { tokens: 55 } });
});

describe("a server that knows no schemas", () => {
  const refusal = error("'response_format.type' must be 'json_object' or 'text'");
  const isPlain = (body: Record<string, unknown>) => body.response_format === undefined;

  test("is asked once more in words, and only in words for the rest of the run", async () => {
    const server = await vendor((response, { body }) =>
      isPlain(body)
        ? json(response, 200, answers["openai-compatible"]('{"status": "done"}'))
        : json(response, 400, refusal),
    );
    const agent = judgeAt(server.url, "openai-compatible");

    const replies = [await hear(agent, question()), await hear(agent, question())];

    expect(replies.map(({ reply }) => reply.structured)).toEqual([{ status: "done" }, { status: "done" }]);
    expect(server.requests.map(({ body }) => isPlain(body))).toEqual([false, true, true]);
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/JSON Schema.*required.*status/);
  });

  test("and refuses in words, too, is not asked for ever", async () => {
    const failure = await failureOf("openai-compatible", (response) => json(response, 400, refusal));

    expect(failure).toMatchObject({ code: "configuration", requests: 2 });
  });

  test("but takes them without heeding them is asked in words the next time", async () => {
    const server = await vendor((response, { body }) =>
      json(response, 200, answers["openai-compatible"](isPlain(body) ? '{"status": "done"}' : "Looks good to me!")),
    );
    const agent = judgeAt(server.url, "openai-compatible");

    const first = await hear(agent, question());
    const second = await hear(agent, question());

    expect(first.reply.failure).toMatchObject({ code: "malformed" });
    expect(second.reply.structured).toEqual({ status: "done" });
  });
});

describe("when to ask again", () => {
  const NOW = Date.parse("2026-01-23T13:30:00Z");

  test.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "Fri, 23 Jan 2026 13:31:00 GMT" }, 60_000],
    [{ "retry-after-ms": "1500", "retry-after": "7" }, 1500],
    [{ "x-ratelimit-reset-requests": "6m0s" }, 360_000],
    [{ "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "1m2.5s" }, 62_500],
    [
      {
        "x-ratelimit-reset-requests": "20ms",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-tokens": "1h",
        "x-ratelimit-remaining-tokens": "5000",
      },
      20,
    ],
    [{ "anthropic-ratelimit-requests-reset": "2026-01-23T13:30:30Z" }, 30_000],
    [{ "x-ratelimit-reset": String(NOW + 5000) }, 5000],
    [{ "x-ratelimit-reset": String(NOW / 1000 + 5) }, 5000],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "999999999" }, undefined],
    [{}, undefined],
  ])("%j", (headers, wait) => {
    expect(retryAt(headers, NOW)).toBe(wait === undefined ? undefined : NOW + wait);
  });

  test("is part of the failure", async () => {
    const before = Date.now();
    const failure = await failureOf("openai", (response) =>
      json(response, 429, error("slow"), { "retry-after": "30" }),
    );

    expect(failure.code).toBe("rate_limit");
    expect(failure.retry_at).toBeGreaterThanOrEqual(before + 30_000);
    expect(failure.retry_at).toBeLessThanOrEqual(Date.now() + 30_000);
  });
});
