import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fault, say, scene, story } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import { startScriptedModel } from "../../../../../src/connection/agents/scripted/model/server.ts";
import type { Story } from "../../../../../src/connection/agents/scripted/model/story.ts";
import { ask, askAndLeave, play, post, text } from "./client.ts";

test("the model listens on loopback only, each on a port of its own", async () => {
  const [first, second] = [await play(scene({}, say("one"))), await play(scene({}, say("two")))];

  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(second.url).not.toBe(first.url);
  expect(text(await ask(second))).toBe("two");
});

test("requests are recorded as they came, without the key", async () => {
  const model = await play(scene("judge", say("verdict")));

  await ask(model, { who: "judge", temperature: 0.5 });

  expect(model.requests).toMatchObject([
    {
      who: "judge",
      scene: 0,
      credential: "api_key",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      body: { model: "claude-sonnet-5", temperature: 0.5, messages: [{ role: "user", content: "hello" }] },
    },
  ]);
  expect(JSON.stringify(model.requests)).not.toContain("sk-ant-secret");
});

test("after the request cap every request is refused and none is recorded", async () => {
  const model = await play({ scenes: [scene({ repeat: true }, say("again"))], request_cap: 3 });

  const replies = [];
  for (let i = 0; i < 5; i++) replies.push(await ask(model));

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400]);
  expect(replies.at(-1)?.error).toMatchObject({
    type: "invalid_request_error",
    message: "The story's 3 requests are used up.",
  });
  expect([model.capped, model.requests.length, model.unmatched]).toEqual([true, 3, 0]);
});

test("a story with requests to spare is not capped", async () => {
  const model = await play({ scenes: [scene({}, say("only"))], request_cap: 1 });

  await ask(model);

  expect(model.capped).toBe(false);
});

test("the log has a line for each request, and an earlier log is kept", async () => {
  const path = join(await temporaryDirectory(), "anfragen ü.jsonl");
  for (const word of ["one", "two"]) {
    const model = await startScriptedModel(story(scene({}, say(word))), { log_path: path });
    await ask(model);
    await ask(model);
    await model.close();
  }

  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");

  expect(lines.map((line) => JSON.parse(line).scene)).toEqual([0, null, 0, null]);
  expect(lines.join()).not.toContain("sk-ant-secret");
});

test("a log that cannot be written is reported before the server starts", async () => {
  const path = join(await temporaryDirectory(), "missing", "log.jsonl");

  await expect(startScriptedModel(story(scene({}, say("x"))), { log_path: path })).rejects.toMatchObject({
    code: "write_failed",
    details: { path },
  });
});

test("a story that cannot be played does not start", async () => {
  const broken = { title: "Half a story", scenes: [{ turns: [{ say: "x", fault: {} }] }] } as Story;

  await expect(startScriptedModel(broken)).rejects.toMatchObject({
    code: "story_broken",
    details: { file: "Half a story" },
  });
});

test("closing breaks off stalled and delayed replies, may be done twice, and frees the port", async () => {
  const model = await play(
    scene({ when: "stall" }, fault({ kind: "stall" })),
    scene({}, { ...say("x"), delay_ms: 60_000 }),
  );
  const ask = (words: string) => post(model, { messages: [{ role: "user", content: words }] }).then(broken, broken);
  const open = [ask("stall"), ask("delay")];
  while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));

  await model.close();
  await model.close();

  expect(await Promise.all(open)).toEqual(["broken off", "broken off"]);
  await expect(fetch(model.url)).rejects.toThrow();
});

test("a client that leaves during a delay does no harm", async () => {
  const model = await play(scene({}, { ...say("too late"), delay_ms: 200 }), scene({}, say("next")));
  await askAndLeave(model);

  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(text(await ask(model))).toBe("next");
});

function broken(result: Response | Error): string {
  return result instanceof Error ? "broken off" : "answered";
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "e8 scripted "));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
