import type { RequestPermissionRequest, SessionNotification } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { AnswerStream } from "../../../src/connection/agents/acp/answer-stream.ts";
import { saidFailure, thrownFailure } from "../../../src/connection/agents/acp/failures.ts";
import { KNOWN_AGENTS } from "../../../src/connection/agents/acp/known-agents.ts";
import { accessOf, loginOf } from "../../../src/connection/agents/acp/login.ts";
import { chosenOption } from "../../../src/connection/agents/acp/permissions.ts";
import { readerOf } from "../../../src/connection/agents/acp/reader.ts";
import { describedCall, type KnownCall, readCall, returnedBy } from "../../../src/connection/agents/acp/tools.ts";
import { SessionUsage } from "../../../src/connection/agents/acp/usage.ts";
import { Queue } from "../../../src/connection/agents/queue.ts";
import type { AgentEvent } from "../../../src/model/events.ts";
import { teller } from "../../../src/texts/tell.ts";
import { acpOptions, acpProgram } from "./acp-support.ts";
import { assign } from "./support.ts";

describe("tool calls", () => {
  test.each<[string, KnownCall, string, string]>([
    [
      "a command",
      { kind: "execute", title: "Terminal", rawInput: { command: "cd x && npm test" } },
      "Bash(npm)",
      "cd x && npm test",
    ],
    [
      "a command as words behind a shell",
      { kind: "execute", rawInput: { command: ["/bin/bash", "-lc", "pytest -q"] } },
      "Bash(pytest)",
      "pytest -q",
    ],
    ["a command as words", { kind: "execute", rawInput: { command: ["ls", "a b"] } }, "Bash(ls)", "ls 'a b'"],
    ["a command in its title only", { kind: "execute", title: "`git status`" }, "Bash(git)", "git status"],
    [
      "a new file",
      { kind: "edit", content: [{ type: "diff", path: "/p/a", oldText: null, newText: "" }] },
      "Write",
      "/p/a",
    ],
    [
      "a changed file",
      { kind: "edit", content: [{ type: "diff", path: "/p/a", oldText: "", newText: "" }] },
      "Edit",
      "/p/a",
    ],
    ["an edit by its place", { kind: "edit", locations: [{ path: "/p/a" }] }, "Edit", "/p/a"],
    ["an edit by its input", { kind: "edit", rawInput: { filePath: "/p/a" } }, "Edit", "/p/a"],
    ["a patch", { kind: "edit", rawInput: { changes: { "/p/a": {}, "/p/b": {} } } }, "Edit", "/p/a"],
    ["a read file", { kind: "read", locations: [{ path: "/p/a" }] }, "Read", "/p/a"],
    ["a tool of a server", { kind: "other", title: "mcp__db__query" }, "mcp__db__query", ""],
    ["an unknown kind", { kind: "dance" as "other", title: "Dance\nnow" }, "Dance", ""],
    ["nothing", {}, "other", ""],
  ])("%s", (_, call, label, detail) => {
    expect(describedCall(call)).toMatchObject({ label, detail });
  });

  test("the files of a call are those that it changes", () => {
    expect(readCall({ kind: "edit", rawInput: { changes: { "/p/a": {}, "/p/b": {} } } }).writes).toEqual([
      "/p/a",
      "/p/b",
    ]);
    expect(readCall({ kind: "read", locations: [{ path: "/p/a" }] }).writes).toEqual([]);
  });

  test.each<[string, KnownCall, string]>([
    ["its texts", { content: [{ type: "content", content: { type: "text", text: "a" } }] }, "a"],
    ["what it printed", { rawOutput: { stdout: "out", stderr: "err" } }, "out\nerr"],
    ["a text", { rawOutput: "out" }, "out"],
    ["nothing", { rawOutput: 5 }, ""],
  ])("a call returns %s", (_, call, returned) => {
    expect(returnedBy(call)).toBe(returned);
  });
});

describe("tokens", () => {
  test.each<[string, unknown, number]>([
    [
      "a cache beside the input",
      { usage: { totalTokens: 160, inputTokens: 10, outputTokens: 20, cachedReadTokens: 100, cachedWriteTokens: 30 } },
      60,
    ],
    [
      "a cache within the input",
      { usage: { totalTokens: 130, inputTokens: 110, outputTokens: 20, cachedReadTokens: 100 } },
      30,
    ],
    [
      "thoughts beside the output",
      { usage: { totalTokens: 35, inputTokens: 10, outputTokens: 20, thoughtTokens: 5 } },
      35,
    ],
    [
      "thoughts within the output",
      { usage: { totalTokens: 30, inputTokens: 10, outputTokens: 20, thoughtTokens: 5 } },
      30,
    ],
    ["counts in _meta", { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } }, 10],
  ])("%s", (_, said, tokens) => {
    const usage = new SessionUsage();
    usage.read(said);
    expect(usage.known(undefined)).toMatchObject({ tokens, cost_usd: undefined });
  });

  test("how full a context is, is no usage; only dollars are a cost", () => {
    const usage = new SessionUsage();
    for (const said of [
      undefined,
      5,
      { used: 100, size: 200 },
      { cost: { amount: 3, currency: "EUR" } },
      { usage: { inputTokens: "9" } },
    ])
      usage.read(said);
    expect(usage.known({ input: 1, output: 1 })).toMatchObject({ tokens: undefined, cost_usd: undefined });
  });
});

describe("failures", () => {
  const rejected = (code: number, message: string, data?: unknown) => Object.assign(new Error(message), { code, data });
  const failed = (error: unknown) => thrownFailure(error, { stderr: "", exit: undefined }, acpProgram({}));

  test.each<[unknown, string]>([
    [rejected(-32000, "Authentication required"), "authentication"],
    [rejected(-32603, "Internal error", { errorKind: "rate_limit" }), "rate_limit"],
    [rejected(-32603, "Internal error", { errorKind: "overloaded" }), "overloaded"],
    [rejected(-32603, "Internal error", { errorKind: "billing_error" }), "billing"],
    [rejected(-32603, "Internal error", { details: "You've hit your usage limit. Try again at 7 pm." }), "usage_limit"],
    [rejected(-32603, "RESOURCE_EXHAUSTED: Quota exceeded"), "usage_limit"],
    [rejected(429, "Rate limit exceeded. Try again later."), "rate_limit"],
    [rejected(-32603, "unexpected status 401 Unauthorized"), "authentication"],
    [rejected(-32603, "exceeded retry limit, last status: 503"), "overloaded"],
    [rejected(-32603, "connect ECONNREFUSED 127.0.0.1:9"), "network"],
    [rejected(-32603, "500 Internal Server Error"), "server"],
    [rejected(-32603, "prompt is too long: 300000 tokens"), "context_overflow"],
    [rejected(-32603, "insufficient_quota"), "billing"],
    [rejected(-32601, "Method not found"), "configuration"],
    [rejected(-32602, "Invalid params"), "configuration"],
    [rejected(-32603, "Internal error"), "crashed"],
    [new Error("ACP connection closed"), "crashed"],
  ])("%s is %s", (error, code) => {
    const failure = failed(error);
    expect(failure.code).toBe(code);
    for (const language of ["en", "ja"] as const) expect(teller(language)(failure.message)).toMatch(/\S/);
  });

  test("a missing login is told of in the agent's words, with what to type in a sentence of its own", () => {
    const known = { ...acpProgram({}), title: "Codex", known: KNOWN_AGENTS.codex };
    const { message } = thrownFailure(
      rejected(-32000, "The API key is missing."),
      { stderr: "", exit: undefined },
      known,
    );

    expect(teller("en")(message)).toBe("Codex is not logged in: The API key is missing. To log in: codex login");
  });

  test("a limit is waited for as long as the agent says", () => {
    const at = (data: object) => failed(rejected(-32603, "x", { errorKind: "usage_limit", ...data })).retry_at;

    expect(at({ resets_at: 2_000_000_000 })).toBe(2_000_000_000_000);
    expect(at({ retry_after: 60 })).toBeGreaterThan(Date.now() + 50_000);
    expect(at({})).toBeUndefined();
  });

  test("words about a limit are a failure only where they are the answer", () => {
    expect(saidFailure("You've hit your 5-hour limit · resets 11pm")).toBe("usage_limit");
    expect(saidFailure("I handle the case that you've hit your usage limit.")).toBeUndefined();
  });
});

describe("permissions", () => {
  const option = (kind: "allow_once" | "allow_always" | "reject_once" | "reject_always") => ({
    kind,
    optionId: kind,
    name: kind,
  });

  test.each<[Parameters<typeof chosenOption>[0], boolean, string | undefined]>([
    [[option("allow_always"), option("allow_once"), option("reject_once")], true, "allow_once"],
    [[option("allow_always"), option("reject_always")], true, "allow_always"],
    [[option("allow_once"), option("reject_always")], false, "reject_always"],
    [[option("allow_once")], false, undefined],
    [[], true, undefined],
  ])("%j, allowed: %s", (options, isAllowed, chosen) => {
    const { outcome } = chosenOption(options, isAllowed);
    expect(outcome).toEqual(chosen ? { outcome: "selected", optionId: chosen } : { outcome: "cancelled" });
  });
});

describe("a closed sandbox", () => {
  const { codex } = KNOWN_AGENTS;

  test("lets a known agent reach its vendor, and its own files, of which those that decide what it runs are only read", async () => {
    const access = await accessOf(codex, { HOME: "/home/me" });

    expect(access.hosts).toContain("api.openai.com");
    expect(access.writable).toEqual(["/home/me/.codex"]);
    expect(access.readable).toContain("/home/me/.codex/config.toml");
  });

  test("lets it reach the server that the user names, and the folder that the user has moved", async () => {
    const environment = { HOME: "/home/me", OPENAI_BASE_URL: "http://127.0.0.1:8080/v1", CODEX_HOME: "/data/codex" };

    expect(await accessOf(codex, environment)).toMatchObject({
      hosts: ["127.0.0.1:8080"],
      made: ["/data/codex"],
      writable: ["/data/codex"],
      readable: expect.arrayContaining(["/data/codex/config.toml"]),
    });
  });

  test("an agent's settings that are a folder of their own may lie where the user has moved all of them", async () => {
    const { writable, readable } = await accessOf(KNOWN_AGENTS.opencode, {
      HOME: "/home/me",
      XDG_CONFIG_HOME: "/data",
    });

    expect(writable).toEqual(expect.arrayContaining(["/data/opencode", "/home/me/.local/state/opencode"]));
    expect(readable).toEqual(["/data/opencode"]);
  });

  test("lets Claude Code behind the protocol have what Claude Code has", async () => {
    const { hosts, made, writable, readable } = await accessOf(KNOWN_AGENTS["claude-agent-acp"], { HOME: "/home/me" });

    expect(hosts).toContain("api.anthropic.com");
    expect(made).toEqual(["/home/me/.claude"]);
    expect(writable).toEqual(["/home/me/.claude", "/home/me/.claude.json"]);
    expect(readable).toContain("/home/me/.claude/settings.json");
  });

  test("a login is a key or a file; an empty key is none", () => {
    expect(loginOf(codex, { HOME: "/nowhere", OPENAI_API_KEY: "k" })).toEqual({
      is: "key",
      variable: "OPENAI_API_KEY",
    });
    expect(loginOf(codex, { HOME: "/nowhere", OPENAI_API_KEY: " " })).toMatchObject({ is: "missing" });
  });
});

describe("signs of life", () => {
  test("a command that runs may be silent for longer than the agent", async () => {
    const heard: (number | null | undefined)[] = [];
    const limits = { reason: undefined, alive: (seconds?: number | null) => void heard.push(seconds), stop: () => {} };
    const stream = new AnswerStream({ role: "executor", hides_json: false }, () => {});
    const options = acpOptions({ project: "/p", task_token: "t", program: acpProgram({}) }, { silence_seconds: 10 });
    const answering = { options, assignment: assign(), stream, events: new Queue<AgentEvent>(), limits };
    const reader = readerOf({ ...answering, ending: new AbortController().signal } as Parameters<typeof readerOf>[0]);
    const tell = (update: object) => reader.update({ sessionId: "s", update } as SessionNotification);

    reader.open("s");
    await tell({ sessionUpdate: "tool_call", toolCallId: "1", title: "x", kind: "execute", status: "in_progress" });
    await tell({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" });
    await reader.update({ sessionId: "another", update: {} } as unknown as SessionNotification);
    await reader.permission({
      sessionId: "another",
      toolCall: { toolCallId: "1" },
      options: [],
    } as RequestPermissionRequest);

    expect(heard).toEqual([10, 40, 10]);
  });
});
