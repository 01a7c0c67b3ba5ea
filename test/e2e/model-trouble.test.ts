import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { startScriptedModel } from "../../src/connection/agents/scripted/model/server.ts";
import type { Turn } from "../../src/connection/agents/scripted/model/story.ts";
import { freePort } from "../support/free-port.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";
import { report, summarizes, works } from "../support/stories.ts";

const RUN = ["run", "x", "--check", "true", "--json"];

test("401 ends the run in seconds, with advice, even when Claude Code would retry ten times", async () => {
  const { e8 } = await quickSandbox(story({ who: "executor", repeat: true, turns: [{ ...fault(401), times: 50 }] }));

  const ended = await e8(RUN, { env: { CLAUDE_CODE_MAX_RETRIES: undefined } });

  expect(ended.code).toBe(2);
  expect(resultOf(ended)).toMatchObject({ status: "error", error_code: "authentication" });
  expect(resultOf(ended).hint).toMatch(/login|ANTHROPIC_API_KEY/);
  expect(resultOf(ended).usage.seconds).toBeLessThan(60);
});

test("a missing login is reported", async () => {
  const { e8 } = await quickSandbox();

  const ended = await e8(RUN, { env: { ANTHROPIC_API_KEY: undefined } });

  expect(ended.code).toBe(2);
  expect(resultOf(ended)).toMatchObject({ error_code: "authentication" });
});

test("429 with retry-after is waited for, said, and the real Claude Code recovers", async () => {
  const { e8 } = await quickSandbox(
    story(scene("executor", fault({ status: 429, retry_after: 1 }), report("worked")), summarizes("worked")),
  );

  const ended = await e8(RUN);

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/waiting until/);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
});

test("while Claude Code itself asks again, each attempt is said in a line and stored as an event", async () => {
  const { e8, tasks, read } = await quickSandbox(
    story(scene("executor", { ...fault(529), times: 2 }, report("worked")), summarizes("worked")),
  );

  const ended = await e8(RUN, { env: { CLAUDE_CODE_MAX_RETRIES: undefined } });

  expect(ended.code, ended.stderr).toBe(0);
  for (const attempt of [1, 2])
    expect(ended.stderr).toMatch(
      new RegExp(`  retry ${attempt} of 10 at \\d\\d:\\d\\d:\\d\\d: the model is overloaded \\(HTTP 529\\)\n`),
    );
  const [id] = await tasks();
  const stored = (await read(`.e8/tasks/${id}/events.jsonl`))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);
  const retry = { type: "api-retry", role: "executor", code: "overloaded", status: 529, max_attempts: 10 };
  expect(stored.filter(({ type }) => type === "api-retry")).toMatchObject([
    { ...retry, attempt: 1 },
    { ...retry, attempt: 2 },
  ]);
});

test.each<[string, Turn]>([
  ["429", fault(429)],
  ["529", fault(529)],
  ["500", fault(500)],
  ["503", fault(503)],
  ["a connection that breaks", { ...fault({ kind: "disconnect" }), times: 2 }],
])("%s is waited for, said, and recovers", async (_, trouble) => {
  const { e8 } = await quickScripted(story(scene("executor", trouble, report("worked")), summarizes("worked")));

  const ended = await e8(RUN);

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/waiting until/);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
});

test("a model in trouble while it summarizes or judges is waited for, too", async () => {
  const { e8 } = await quickScripted(
    story(works("worked"), scene("summarizer", fault(529), { answer: { approach: "a", reason: "b" } })),
  );

  const ended = await e8(RUN);

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/waiting until/);
});

test("a server that is not there yet is waited for", async () => {
  const port = await freePort();
  const { e8, start } = await quickSandbox();
  const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  const run = start(RUN, { env });
  let waited = "";
  run.child.stderr?.on("data", (data: Buffer) => {
    waited += data;
  });
  while (!waited.includes("waiting until")) await sleep(50);

  const forwarded = await forward(port, story(works("worked"), summarizes("worked")));
  const ended = await run.ended;
  await forwarded.close();

  expect(ended.code, ended.stderr).toBe(0);
  expect(e8).toBeDefined();
});

const SUBSCRIBED = { env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" } };

test("a usage limit is waited for until its reset time, which is said", async () => {
  const limited = fault({ status: 429, resets_in: 4 });
  const { e8 } = await quickSandbox(story(scene("executor", limited, report("worked")), summarizes("worked")));

  const ended = await e8(RUN, SUBSCRIBED);

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/waiting until \d.*limit/i);
});

test("a time budget also ends the waiting", async () => {
  const { e8 } = await quickScripted(story(scene("executor", fault({ status: 429, resets_in: 600 }))));

  const ended = await e8([...RUN, "--max-time", "2s"]);

  expect(ended.code, ended.stderr).toBe(1);
  expect(resultOf(ended)).toMatchObject({ status: "budget_exceeded", stop_reason: "budget_time", iterations_used: 0 });
});

test("a stalled stream is ended by our own timer and recorded; the next iteration goes on", async () => {
  const { e8, records, env } = await quickScripted(
    story(scene("executor", fault({ kind: "stall" })), works("worked"), summarizes("worked")),
    { silence_timeout: 2 },
  );
  env.ENDLESS8_SANDBOX = "off"; // the check reads what was handed in

  const ended = await e8([
    "run",
    "x",
    "--check",
    "test $(ls .e8/tasks/*/output.md | wc -l) = 1 && ! grep -q 'no sign of life' .e8/tasks/*/output.md",
    "--json",
  ]);

  expect(ended.code, ended.stderr).toBe(0);
  expect((await records())[0]).toMatchObject({ result: "error", metadata: { error_type: "silent" } });
});

/** Puts a scripted model behind a port that was chosen before it existed. */
async function forward(port: number, played: Parameters<typeof startScriptedModel>[0]) {
  const model = await startScriptedModel(played);
  const { connect } = await import("node:net");
  const target = Number(new URL(model.url).port);
  const server = createServer((socket) => {
    const upstream = connect(target, "127.0.0.1");
    for (const end of [socket, upstream]) end.on("error", () => {});
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    close: async () => {
      server.close();
      await model.close();
    },
  };
}
