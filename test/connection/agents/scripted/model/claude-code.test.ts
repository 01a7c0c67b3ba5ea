import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKMessage, type SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { expect, onTestFinished, test } from "vitest";
import { answer, fault, say, scene, use } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import type { ScriptedModel } from "../../../../../src/connection/agents/scripted/model/server.ts";
import { play } from "./client.ts";

const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
const outputFormat = { type: "json_schema", schema } as const;

test("Claude Code edits a file, runs a command and gives its structured answer", async () => {
  const model = await play(
    scene(
      "executor",
      { ...use("Read", { file_path: "notes ü.txt" }), tokens: { input: 1000, output: 100 } },
      use("Edit", { file_path: "notes ü.txt", old_string: "old", new_string: "new" }),
      use("Write", { file_path: "more.txt", content: "more\n" }),
      use("Bash", { command: 'cat "notes ü.txt" more.txt > both.txt' }),
      answer({ ok: true }),
    ),
  );
  const project = await temporaryProject();
  await writeFile(join(project, "notes ü.txt"), "old words\n");

  const { result } = await work(model, project, { outputFormat });

  expect(await readFile(join(project, "both.txt"), "utf8")).toBe("new words\nmore\n");
  expect(result).toMatchObject({
    subtype: "success",
    is_error: false,
    structured_output: { ok: true },
    usage: { input_tokens: 1400, output_tokens: 180 },
  });
  expect(model.requests.map(({ who, scene }) => [who, scene])).toEqual(Array(5).fill(["executor", 0]));
});

test("words before the structured answer bring Claude Code's reminder, and the scene goes on", async () => {
  const model = await play(scene("executor", say("Let me think."), answer({ ok: true })));

  const { result } = await work(model, await temporaryProject(), { outputFormat });

  expect(result).toMatchObject({ structured_output: { ok: true } });
  expect(model.requests).toHaveLength(2);
});

test("an overloaded model that recovers is not noticed in the result", async () => {
  const model = await play(scene("executor", fault(529), say("recovered")));

  const { result, messages } = await work(model, await temporaryProject(), {}, { CLAUDE_CODE_MAX_RETRIES: "1" });

  expect(result).toMatchObject({ is_error: false, result: "recovered" });
  expect(messages).toContainEqual(expect.objectContaining({ subtype: "api_retry", error_status: 529 }));
});

test("a refused key is an error with its status", async () => {
  const model = await play(scene("executor", fault(401)));

  const { result } = await work(model, await temporaryProject());

  expect(result).toMatchObject({ is_error: true, api_error_status: 401, terminal_reason: "api_error" });
});

test("a used-up subscription says when it resets", async () => {
  const resets_at = Math.floor(Date.now() / 1000) + 3600;
  const model = await play(scene("executor", fault({ resets_at })));
  const account = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" };

  const { result, messages } = await work(model, await temporaryProject(), {}, account);

  expect(result).toMatchObject({ is_error: true, api_error_status: 429 });
  expect(messages.find((message) => message.type === "rate_limit_event")).toMatchObject({
    rate_limit_info: { status: "rejected", resetsAt: resets_at, rateLimitType: "five_hour" },
  });
  expect(model.requests).toMatchObject([{ credential: "token" }]);
});

test("a malformed reply is tried again without a stream, then given up", async () => {
  const model = await play(scene("executor", { ...fault({ kind: "malformed" }), times: 2 }));

  const { result } = await work(model, await temporaryProject());

  expect(result).toMatchObject({ is_error: true, terminal_reason: "api_error", api_error_status: null });
  expect(model.requests.map(({ body }) => body.stream === true)).toEqual([true, false]);
});

test("a stalled reply lasts until the client aborts", async () => {
  const model = await play(scene("executor", fault({ kind: "stall" })));
  const abortController = new AbortController();
  const working = work(model, await temporaryProject(), { abortController });
  while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

  abortController.abort();

  expect((await working).result).toBeUndefined();
  expect(model.requests).toHaveLength(1);
});

test("a sub-agent's conversation is a scene without an asker, found by its prompt", async () => {
  const model = await play(
    scene(
      "executor",
      use("Agent", { description: "Look", prompt: "Count the pears.", subagent_type: "general-purpose" }),
      say("done"),
    ),
    scene({ when: "Count the pears." }, say("three")),
  );

  const { result } = await work(model, await temporaryProject(), {}, { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" });

  expect(result).toMatchObject({ is_error: false, result: "done" });
  expect(model.requests.map(({ who, scene }) => [who, scene])).toEqual([
    ["executor", 0],
    [null, 1],
    ["executor", 0],
  ]);
});

interface Worked {
  /** Undefined when Claude Code was aborted. */
  result: SDKResultMessage | undefined;
  messages: SDKMessage[];
}

/** One run of the real Claude Code, with a home of its own beside the project. */
async function work(
  model: ScriptedModel,
  project: string,
  options: Options = {},
  extra: NodeJS.ProcessEnv = {},
): Promise<Worked> {
  const messages: SDKMessage[] = [];
  const last = () => messages.find((message) => message.type === "result");
  try {
    for await (const message of query({
      prompt: "Do it.",
      options: { ...offline(model, project, extra), ...options },
    })) {
      messages.push(message);
    }
  } catch (error) {
    if (!last() && !options.abortController?.signal.aborted) throw error; // it throws after every error result
  }
  return { result: last(), messages };
}

function offline(model: ScriptedModel, project: string, extra: NodeJS.ProcessEnv): Options {
  const home = join(project, "..", "home");
  return {
    cwd: project,
    model: "claude-sonnet-5",
    maxTurns: 10,
    settingSources: [],
    strictMcpConfig: true,
    persistSession: false,
    permissionMode: "dontAsk",
    allowedTools: ["Edit(./**)", "Bash(cat *)", "Agent"],
    systemPrompt: { type: "preset", preset: "claude_code", append: "endless8-role: executor\n" },
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      TMPDIR: join(home, "tmp"),
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      TERM: "dumb",
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "sk-ant-fake",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
      ...extra,
    },
  };
}

async function temporaryProject(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "e8 scripted ü "));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(directory, "home", "tmp"), { recursive: true });
  await mkdir(join(directory, "project"));
  return join(directory, "project");
}
