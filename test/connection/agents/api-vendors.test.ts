import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { accessOf, missingVariable } from "../../../src/connection/agents/api/access.ts";
import { apiBackend } from "../../../src/connection/agents/api/backend.ts";
import { missingPackage } from "../../../src/connection/agents/api/packages.ts";
import type { FailureCode } from "../../../src/model/agent.ts";
import { apiModelOf, type Provider } from "../../../src/model/api-model.ts";
import { PLAIN_CONFIGURATION } from "../../support/plain-configuration.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { addressesAt, answers, json, judgeAt, question, spellingOf, vendor } from "./api-support.ts";
import { hear } from "./support.ts";

/** As much of the requests as matters. */
interface Body {
  generationConfig?: { responseSchema?: unknown };
  text?: { format?: { schema?: unknown } };
  toolConfig?: { tools?: { toolSpec?: { inputSchema?: unknown } }[] };
  response_format?: { json_schema?: { schema?: unknown } };
}

const SAID = '{"status": "done"}';
const VENDORS = ["google", "azure", "bedrock", "openrouter", "ollama"] as const;

async function answerOf(provider: Provider, status: number, body: unknown, headers: Record<string, string> = {}) {
  const server = await vendor((response) => json(response, status, body, headers));
  const { reply } = await hear(judgeAt(server.url, provider), question());
  return { ...reply, requests: server.requests };
}

test.each<[Provider, string, (body: Body) => unknown]>([
  ["google", "/v1beta/models/gemini-2.5-flash:generateContent", (body) => body.generationConfig?.responseSchema],
  ["azure", "/openai/v1/responses", (body) => body.text?.format?.schema],
  [
    "bedrock",
    "/model/eu.amazon.nova-pro-v1%3A0/converse",
    (body) => body.toolConfig?.tools?.[0]?.toolSpec?.inputSchema,
  ],
  ["openrouter", "/api/v1/chat/completions", (body) => body.response_format?.json_schema?.schema],
  ["ollama", "/v1/chat/completions", (body) => body.response_format?.json_schema?.schema],
])("%s is asked at %s, and told the schema of the answer", async (provider, path, schemaIn) => {
  const { requests, structured } = await answerOf(provider, 200, answers[provider](SAID));
  expect(requests[0]?.path).toBe(path);
  expect(JSON.stringify(schemaIn(requests[0]?.body ?? {}))).toContain('"status"');
  expect(structured).toEqual({ status: "done" });
});

describe("Gemini", () => {
  const exhausted = {
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      message: "You exceeded your current quota, please check your plan and billing details.",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
    },
  };

  test("says in the body when to ask again", async () => {
    const before = Date.now();
    const { failure } = await answerOf("google", 429, exhausted);
    expect(failure?.code).toBe("rate_limit");
    expect(failure?.retry_at).toBeGreaterThanOrEqual(before + 34_500);
    expect(failure?.retry_at).toBeLessThan(before + 60_000);
  });

  test.each<[string, number, object, FailureCode]>([
    [
      "a wrong key",
      400,
      { code: 400, status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." },
      "authentication",
    ],
    [
      "a prompt that is too long",
      400,
      { code: 400, message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." },
      "context_overflow",
    ],
    ["a model that does not exist", 404, { code: 404, message: "models/gemini-x is not found" }, "configuration"],
    ["an overloaded model", 503, { code: 503, message: "The model is overloaded." }, "overloaded"],
  ])("%s", async (_, status, error, code) => {
    const { failure } = await answerOf("google", status, { error });
    expect(failure).toMatchObject({ code, ...(code === "authentication" && { variable: "GEMINI_API_KEY" }) });
  });

  test("whose server does not take the schema is told it in words", async () => {
    const refusal = { error: { code: 400, message: "Unknown name at 'generation_config.response_schema'" } };
    const server = await vendor((response, { body }) =>
      JSON.stringify(body).includes("responseSchema")
        ? json(response, 400, refusal)
        : json(response, 200, answers.google(SAID)),
    );
    const { reply } = await hear(judgeAt(server.url, "google"), question());
    expect(reply.structured).toEqual({ status: "done" });
    expect(server.requests).toHaveLength(2);
  });
});

describe("Bedrock", () => {
  test("answers by calling the tool that stands for the schema", async () => {
    const content = [{ toolUse: { toolUseId: "t1", name: "json", input: { status: "done" } } }];
    const { structured, failure } = await answerOf("bedrock", 200, {
      output: { message: { role: "assistant", content } },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    });
    expect(failure).toBeUndefined();
    expect(structured).toEqual({ status: "done" });
  });

  test("is asked with signed requests where it has no key of its own; no secret goes out", async () => {
    const environment = {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "a-secret-access-key",
      AWS_SESSION_TOKEN: "a-session-token",
    };
    const server = await vendor((response) => json(response, 200, answers.bedrock(SAID)));
    const all = { ...environment, ...addressesAt(server.url) };
    const { reply } = await hear(judgeAt(server.url, "bedrock", { environment: all }), question());

    expect(reply.structured).toEqual({ status: "done" });
    const { headers = {} } = server.requests[0] ?? {};
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request/,
    );
    expect(headers["x-amz-security-token"]).toBe("a-session-token");
    expect(JSON.stringify(server.requests)).not.toContain("a-secret-access-key");
  });

  test.each<[string, number, string, FailureCode]>([
    ["ThrottlingException", 429, "Too many requests, please wait before trying again.", "rate_limit"],
    ["ExpiredTokenException", 403, "The security token included in the request is expired", "authentication"],
    ["ValidationException", 400, "Input is too long for requested model.", "context_overflow"],
    ["ServiceUnavailableException", 503, "Bedrock is unable to process your request.", "overloaded"],
  ])("%s (%i) is told apart", async (type, status, message, code) => {
    const { failure } = await answerOf("bedrock", status, { message }, { "x-amzn-errortype": type });
    expect(failure?.code).toBe(code);
  });
});

describe("OpenRouter", () => {
  test.each<[number, FailureCode]>([
    [402, "billing"],
    [429, "rate_limit"],
    [502, "server"],
  ])("a failure of the vendor behind it (%i) in an answer with status 200 is told apart", async (code, expected) => {
    const { failure } = await answerOf("openrouter", 200, { error: { code, message: "Provider returned error" } });
    expect(failure?.code).toBe(expected);
  });
});

describe("Azure", () => {
  test("tells how long to wait", async () => {
    const before = Date.now();
    const { failure } = await answerOf(
      "azure",
      429,
      { error: { code: "429", message: "limit" } },
      { "retry-after": "7" },
    );
    expect(failure?.code).toBe("rate_limit");
    expect(failure?.retry_at).toBeGreaterThanOrEqual(before + 7000);
  });
});

test.each<[Provider, Record<string, string>, string]>([
  ["ollama", {}, "http://127.0.0.1:11434/v1"],
  ["ollama", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
  ["ollama", { OLLAMA_HOST: "gpu.lan" }, "http://gpu.lan:11434/v1"],
  ["ollama", { OLLAMA_HOST: "gpu.lan:8080" }, "http://gpu.lan:8080/v1"],
  ["ollama", { OLLAMA_HOST: ":8080" }, "http://127.0.0.1:8080/v1"],
  ["ollama", { OLLAMA_HOST: "https://ollama.example/" }, "https://ollama.example/v1"],
  ["openrouter", {}, "https://openrouter.ai/api/v1"],
  ["google", {}, "https://generativelanguage.googleapis.com/v1beta"],
  ["google", { GOOGLE_GEMINI_BASE_URL: "https://g.example/v1beta/" }, "https://g.example/v1beta"],
  ["azure", { AZURE_RESOURCE_NAME: "mine" }, "https://mine.openai.azure.com/openai/v1"],
  ["azure", { AZURE_OPENAI_ENDPOINT: "https://a.example/" }, "https://a.example/openai/v1"],
  ["bedrock", { AWS_DEFAULT_REGION: "us-east-1" }, "https://bedrock-runtime.us-east-1.amazonaws.com"],
])("%s with %j is at %s", (provider, environment, address) => {
  expect(accessOf({ provider, model: "m" }, environment).base_url).toBe(address);
});

test.each<[Provider, Record<string, string>, string | undefined]>([
  ["google", {}, "GEMINI_API_KEY"],
  ["google", { GOOGLE_GENERATIVE_AI_API_KEY: "k" }, undefined],
  ["azure", { AZURE_OPENAI_API_KEY: "k" }, "AZURE_OPENAI_ENDPOINT"],
  ["azure", { AZURE_RESOURCE_NAME: "mine" }, "AZURE_OPENAI_API_KEY"],
  ["bedrock", { AWS_BEARER_TOKEN_BEDROCK: "k" }, "AWS_REGION"],
  ["bedrock", { AWS_REGION: "r" }, "AWS_BEARER_TOKEN_BEDROCK"],
  ["bedrock", { AWS_REGION: "r", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" }, undefined],
  ["openrouter", {}, "OPENROUTER_API_KEY"],
  ["ollama", {}, undefined],
])("%s with %j lacks %s, and a run says so before anything is asked", async (provider, environment, variable) => {
  const model = spellingOf(provider, "");
  expect(missingVariable(apiModelOf(model) ?? { provider, model }, environment)).toBe(variable);

  const configuration = { ...PLAIN_CONFIGURATION, models: { ...PLAIN_CONFIGURATION.models, judge: model } };
  const need = { configuration, project: "/", environment, roles: ["judge" as const] };
  const found = await apiBackend.examine?.(need);
  const verified = apiBackend.verify?.(need);
  if (variable === undefined) await expect(verified).resolves.toBeUndefined();
  else await expect(verified).rejects.toMatchObject({ code: "api_key_missing", details: { variable } });
  const code = variable === undefined ? "api_key_ok" : "api_key_missing";
  expect(found).toMatchObject([{ code, details: { model } }]);
});

test("each of several judges needs its key", async () => {
  const configuration = { ...PLAIN_CONFIGURATION, judges: ["openai:gpt-5", "google:gemini-2.5-pro"] };
  const need = { configuration, project: "/", environment: { OPENAI_API_KEY: "k" }, roles: ["judge" as const] };
  await expect(apiBackend.verify?.(need)).rejects.toMatchObject({ details: { variable: "GEMINI_API_KEY" } });
  expect(await apiBackend.examine?.(need)).toHaveLength(2);
});

test("a package that few need is named where it is not installed", async () => {
  const elsewhere = pathToFileURL(`${await temporaryDirectory()}/index.js`).href;
  expect(VENDORS.map((provider) => missingPackage(provider, elsewhere)).filter(Boolean)).toEqual([
    "@ai-sdk/amazon-bedrock",
  ]);
  expect(VENDORS.map((provider) => missingPackage(provider)).filter(Boolean)).toEqual([]);
});
