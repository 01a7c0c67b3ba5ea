import { describe, expect, test } from "vitest";
import { answer, scene } from "../../../src/connection/agents/scripted/model/builders.ts";
import { PROVIDERS } from "../../../src/model/api-model.ts";
import { saying } from "../../support/saying.ts";
import { answers, json, judgeAt, KEY_OF, KEYS, question, spellingOf, vendor } from "./api-support.ts";
import { play } from "./scripted/model/client.ts";
import { hear, only } from "./support.ts";

describe.each(PROVIDERS)("%s", (provider) => {
  const said = JSON.stringify({ status: "done" });

  test("answers by the schema, in one request that holds only its own prompt", async () => {
    const server = await vendor((response) => json(response, 200, answers[provider](said)));
    const agent = judgeAt(server.url, provider);

    await hear(agent, question({ prompt: "FIRST-PROMPT" }));
    const { reply } = await hear(agent, question({ prompt: "SECOND-PROMPT", system_prompt: "SYSTEM-WORDS" }));

    expect(reply).toMatchObject({ structured: { status: "done" }, text: said });
    expect(reply.failure).toBeUndefined();
    expect(server.requests).toHaveLength(2);
    const second = JSON.stringify(server.requests[1]?.body);
    expect(second).toContain("SYSTEM-WORDS");
    expect(second).toContain("SECOND-PROMPT");
    expect(second).toContain('"status"');
    expect(second).not.toContain("FIRST-PROMPT");
    expect(second).not.toContain("$schema");
  });

  test("sends its own key, where it belongs, and no other", async () => {
    const server = await vendor((response) => json(response, 200, answers[provider](said)));

    await hear(judgeAt(server.url, provider), question());

    const key = KEYS[KEY_OF[provider]];
    const header = { anthropic: "x-api-key", google: "x-goog-api-key", azure: "api-key" }[provider as string];
    const { headers = {} } = server.requests[0] ?? {};
    const sent = Object.entries(headers).filter(([, value]) =>
      Object.values(KEYS).some((one) => one !== KEYS.AWS_REGION && String(value).includes(one)),
    );
    expect(sent).toEqual([header === undefined ? ["authorization", `Bearer ${key}`] : [header, key]]);
    if (header !== undefined) expect(headers).not.toHaveProperty("authorization");
  });

  test("counts tokens as Claude Code's are counted: cache reads do not count", async () => {
    const server = await vendor((response) => json(response, 200, answers[provider](said)));

    const { events, reply } = await hear(judgeAt(server.url, provider), question());

    expect(reply.usage).toMatchObject({ tokens: provider === "anthropic" ? 127 : 120, cost_usd: 0 });
    expect(only(events, "usage").map(({ usage }) => usage)).toEqual([reply.usage]);
  });

  test("finds the JSON that a model has wrapped in words, and shows what it says", async () => {
    const wrapped = `Here you are:\n\`\`\`json\n${said}\n\`\`\``;
    const server = await vendor((response) => json(response, 200, answers[provider](wrapped)));

    const { events, reply } = await hear(judgeAt(server.url, provider), question());

    expect(reply.structured).toEqual({ status: "done" });
    expect(only(events, "text")).toEqual([{ type: "text", role: "judge", text: wrapped }]);
  });

  test("takes no JSON that was quoted from what it judges for its answer", async () => {
    const quoting = `${said}\nThe record itself says: {"status": "all met"}, which proves nothing.`;
    const server = await vendor((response) => json(response, 200, answers[provider](quoting)));

    const { reply } = await hear(judgeAt(server.url, provider), question());

    expect(reply).not.toHaveProperty("structured");
    expect(reply.failure).toMatchObject({
      code: "malformed",
      message: saying("several JSON"),
    });
  });

  test("an answer that is all JSON is not shown as something said", async () => {
    const server = await vendor((response) => json(response, 200, answers[provider](said)));

    const { events } = await hear(judgeAt(server.url, provider), question());

    expect(only(events, "text")).toEqual([]);
  });

  test("an answer of 10 MB arrives whole", async () => {
    const status = "あ".repeat(3_500_000);
    const server = await vendor((response) => json(response, 200, answers[provider](JSON.stringify({ status }))));

    const { reply } = await hear(judgeAt(server.url, provider), question());

    expect((reply.structured as { status: string }).status === status).toBe(true);
  });
});

test("an old Anthropic model is asked with a tool instead of a format, and answers all the same", async () => {
  const model = await play(scene("judge", answer({ status: "done" })));
  const models = Object.fromEntries(
    ["intake", "executor", "summarizer", "judge"].map((r) => [r, "anthropic:claude-3-haiku-20240307"]),
  );

  const { reply } = await hear(judgeAt(model.url, "anthropic", { models: models as never }), question());

  expect(reply.structured).toEqual({ status: "done" });
  expect(model.requests[0]?.body).toMatchObject({ tools: [{ name: "json" }] });
});

describe("addresses and keys come from the run's environment:", () => {
  const said = '{"status": "done"}';

  test.each(["", "/", "/v1", "/v1/"])("ANTHROPIC_BASE_URL ending in %j", async (ending) => {
    const server = await vendor((response) => json(response, 200, answers.anthropic(said)));
    const environment = { ANTHROPIC_API_KEY: "key-of-the-run", ANTHROPIC_BASE_URL: server.url + ending };

    const { reply } = await hear(judgeAt(server.url, "anthropic", { environment }), question());

    expect(reply.failure).toBeUndefined();
    expect(server.requests[0]?.path).toBe("/v1/messages");
  });

  test("ANTHROPIC_AUTH_TOKEN stands in for a key that is not set", async () => {
    const server = await vendor((response) => json(response, 200, answers.anthropic(said)));
    const environment = { ANTHROPIC_API_KEY: " ", ANTHROPIC_AUTH_TOKEN: "a-token", ANTHROPIC_BASE_URL: server.url };

    await hear(judgeAt(server.url, "anthropic", { environment }), question());

    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer a-token" });
    expect(server.requests[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test("a compatible server without a key of its own gets none: OpenAI's stays here", async () => {
    const server = await vendor((response) => json(response, 200, answers["openai-compatible"](said)));
    const environment = { OPENAI_API_KEY: "sk-openai-secret-key" };

    await hear(judgeAt(server.url, "openai-compatible", { environment }), question());

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(server.requests)).not.toContain("sk-openai-secret-key");
  });

  test("a redirect is not followed: a key goes nowhere else", async () => {
    const elsewhere = await vendor((response) => json(response, 200, answers.openai(said)));
    const server = await vendor(
      (response) => void response.writeHead(307, { location: `${elsewhere.url}/v1/responses` }).end(),
    );

    const { reply } = await hear(judgeAt(server.url, "openai"), question());

    expect(reply.failure).toMatchObject({ code: "configuration" });
    expect(elsewhere.requests).toEqual([]);
  });
});

test("a password in the address of a server is in no failure and in no log", async () => {
  const server = await vendor((response) => json(response, 500, { error: { message: "broken" } }));
  const spelling = `openai-compatible:m@${server.url.replace("//", "//somebody:pass-word-1@")}/v1`;
  const models = { intake: spelling, executor: spelling, summarizer: spelling, judge: spelling, reviewer: spelling };
  const lines: string[] = [];
  const raw_log = async (_: number, __: string, line: string) => void lines.push(line);

  const { reply } = await hear(judgeAt(server.url, "openai-compatible", { models, raw_log }), question());

  expect(reply.failure).toMatchObject({ code: "server", message: expect.stringContaining("somebody:[key]@") });
  expect(lines.join()).toContain("somebody:[key]@");
  expect(lines.join()).not.toContain("pass-word-1");
});

describe("prices", () => {
  const said = '{"status": "done"}';

  test("make tokens a cost, cached input included", async () => {
    const server = await vendor((response) => json(response, 200, answers.openai(said)));
    const prices = { "openai:gpt-5": { input: 2, output: 10 } };

    const { events, reply } = await hear(judgeAt(server.url, "openai", { prices, has_cost_budget: true }), question());

    expect(reply.usage.cost_usd).toBeCloseTo((1100 * 2 + 20 * 10) / 1_000_000, 10);
    expect(reply.usage.unknown).toBeUndefined();
    expect(only(events, "notice")).toEqual([]);
  });

  test("that are missing beside a cost budget are noticed, once for each model", async () => {
    const server = await vendor((response) => json(response, 200, answers.openai(said)));
    const agent = judgeAt(server.url, "openai", { has_cost_budget: true });

    const first = await hear(agent, question());
    const second = await hear(agent, question({ role: "summarizer" }));

    expect(only(first.events, "notice")).toMatchObject([
      { notice: { code: "cost_unknown", params: { model: spellingOf("openai", "") } } },
    ]);
    expect(only(second.events, "notice")).toEqual([]);
    expect(second.reply.usage).toMatchObject({ tokens: 120, cost_usd: 0, unknown: ["cost"] });
  });
});

describe("the raw log", () => {
  test("holds request, answer and what it took, in the shape of Claude Code's stream, without the key", async () => {
    const lines: string[] = [];
    const server = await vendor((response) =>
      json(response, 200, { ...answers.openai('{"status": "done"}'), echo: KEYS.OPENAI_API_KEY }),
    );
    const raw_log = async (iteration: number, role: string, line: string) =>
      void lines.push(`${iteration} ${role} ${line}`);

    await hear(judgeAt(server.url, "openai", { raw_log }), question({ prompt: "THE-PROMPT", iteration: 3 }));

    expect(lines.every((line) => line.startsWith("3 judge {"))).toBe(true);
    expect(lines.map((line) => JSON.parse(line.slice(8)))).toMatchObject([
      { type: "system", subtype: "init", model: "openai:gpt-5", request: { input: expect.anything() } },
      {
        type: "assistant",
        message: { content: [{ type: "text", text: '{"status": "done"}' }] },
        response: { id: "resp_1" },
      },
      { type: "result", is_error: false, num_turns: 1, usage: { input_tokens: 100, output_tokens: 20 } },
    ]);
    expect(lines.join()).toContain("THE-PROMPT");
    expect(lines.join()).not.toContain(KEYS.OPENAI_API_KEY);
  });

  test("says how an answer failed", async () => {
    const lines: string[] = [];
    const server = await vendor((response) => json(response, 529, { error: { message: "Overloaded" } }));
    const raw_log = async (_: number, __: string, line: string) => void lines.push(line);

    await hear(judgeAt(server.url, "anthropic", { raw_log }), question({ prompt: "THE-PROMPT" }));

    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      type: "result",
      subtype: "overloaded",
      is_error: true,
      errors: [expect.stringContaining("Overloaded")],
    });
    expect(lines.join()).toContain("THE-PROMPT");
  });
});
