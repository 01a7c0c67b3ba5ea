import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, fault, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { startProgram } from "../../support/program.ts";
import { saying } from "../../support/saying.ts";
import { eventually } from "../processes/helpers.ts";
import { assign, type ClaudeBox, claudeBox, claudeOptions, hear } from "./support.ts";

const done = answer({ status: "done" });
const tokens = { input: 1000, output: 50 };

/** A Bash call that never ends, with a child in a session of its own; `begun` appears once it runs. */
function hanging(more: object = {}) {
  const command = "setsid tail -f /dev/null & echo > begun; tail -f /dev/null";
  return { ...use("Bash", { command, description: "hang", ...more }), tokens };
}

/** Processes of the answer, Claude Code itself included. */
function alive(box: ClaudeBox): number[] {
  return [...processTable().carrying(`ENDLESS8_TASK=${box.task_token}`)];
}

const begun = (box: ClaudeBox) => eventually("the tool runs", () => existsSync(join(box.project, "begun")));

describe("nothing is left running", () => {
  test("after an abort while a tool runs, and the spending is known", async () => {
    const box = await claudeBox(story(scene("executor", hanging(), done)));
    const controller = new AbortController();
    const work = hear(box.agent({ allowed_tools: ["Bash"] }), assign(), controller.signal);
    await begun(box);
    expect(alive(box).length).toBeGreaterThan(1);

    controller.abort();
    const { reply } = await work;

    expect(alive(box)).toEqual([]);
    expect(reply.failure).toBeDefined();
    expect(reply.usage.tokens).toBe(1050);
    expect(reply.usage.cost_usd).toBeGreaterThan(0);
    expect(await readdir(join(box.home, "tmp"))).toEqual([]);
  });

  test("after an abort while the model is silent", async () => {
    const box = await claudeBox(story(scene("executor", fault({ kind: "stall" }))));
    const controller = new AbortController();
    const work = hear(box.agent(), assign(), controller.signal);
    await eventually("the model is asked", () => box.model.requests.length > 0);

    controller.abort();
    await work;

    expect(alive(box)).toEqual([]);
  });

  test("after an abort before anything began", async () => {
    const box = await claudeBox(story(scene("executor", done)));

    const { reply } = await hear(box.agent(), assign(), AbortSignal.abort());

    expect(reply.failure).toBeDefined();
    expect(box.model.requests).toHaveLength(0);
  });

  test("after an abort while Claude Code starts", async () => {
    const box = await claudeBox(story(scene("executor", done)));
    const controller = new AbortController();
    const work = hear(box.agent(), assign(), controller.signal);
    await eventually("it starts", () => alive(box).length > 0);

    controller.abort();
    await work;

    expect(alive(box)).toEqual([]);
  });

  test("after the time limit", async () => {
    const box = await claudeBox(story(scene("executor", hanging(), done)));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"], timeout_seconds: 10 }), assign());

    expect(reply.failure).toMatchObject({ code: "timeout", message: saying("10 s") });
    expect(reply.usage.tokens).toBe(1050);
    expect(alive(box)).toEqual([]);
  });

  test("when the reader of the events goes away", async () => {
    const box = await claudeBox(story(scene("executor", hanging(), done)));
    const work = box.agent({ allowed_tools: ["Bash"] }).work(assign(), new AbortController().signal);
    for (let event = await work.next(); !event.done && event.value.type !== "tool-call"; event = await work.next());
    await begun(box);

    await work.return(undefined as never);

    expect(alive(box)).toEqual([]);
    expect(await readdir(join(box.home, "tmp"))).toEqual([]);
  });

  test("after an answer that left something in the background", async () => {
    const box = await claudeBox(story(scene("executor", hanging({ run_in_background: true }), done)));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    expect(reply.structured).toEqual({ status: "done" });
    expect(alive(box)).toEqual([]);
  });

  test("after this program itself is killed", async () => {
    const box = await claudeBox(story(scene("executor", hanging(), done)));
    const options = claudeOptions(box, { allowed_tools: ["Bash"] });
    const program = startProgram("ask-claude", JSON.stringify(options), JSON.stringify(assign()));
    await begun(box);
    expect(alive(box).length).toBeGreaterThan(1);

    await program.kill("SIGKILL");

    await eventually("all is gone", () => alive(box).length === 0);
  });
});

describe("silence", () => {
  test("of the model ends the answer", async () => {
    const box = await claudeBox(story(scene("executor", fault({ kind: "stall" }))));

    const { reply } = await hear(box.agent({ silence_seconds: 3 }), assign());

    expect(reply.failure).toMatchObject({ code: "silent", message: saying("3 s") });
    expect(alive(box)).toEqual([]);
  });

  test("is not broken by attempts to reach the model", async () => {
    const box = await claudeBox(story(scene("executor", { ...fault({ status: 429, retry_after: 1 }), times: 100 })));
    const environment = { ...box.environment, CLAUDE_CODE_MAX_RETRIES: "100" };

    const { reply } = await hear(box.agent({ environment, silence_seconds: 8 }), assign());

    expect(reply.failure?.code).toBe("silent");
    expect(box.model.requests.length).toBeGreaterThan(1);
  });

  test("of a tool at work is none", async () => {
    const wait = use("Bash", { command: "tail -f /dev/null & sleep 8; kill $!", description: "wait" });
    const box = await claudeBox(story(scene("executor", wait, done)));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"], silence_seconds: 6 }), assign());

    expect(reply.failure).toBeUndefined();
    expect(reply.structured).toEqual({ status: "done" });
  });
});
