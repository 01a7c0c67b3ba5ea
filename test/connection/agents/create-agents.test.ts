import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAgents, silenceOf } from "../../../src/connection/agents/create-agents.ts";
import { sharedDoors } from "../../../src/connection/agents/doors.ts";
import type { BackendName } from "../../../src/connection/agents/registry.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import type { Doors } from "../../../src/connection/ports/doors.ts";
import { spelledAgent } from "../../../src/model/agent-choice.ts";
import type { AgentChoice, Configuration } from "../../../src/model/configuration.ts";
import { workerName } from "../../../src/model/workers.ts";
import { teller } from "../../../src/texts/tell.ts";
import { PLAIN_CONFIGURATION } from "../../support/plain-configuration.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { ACP_PROGRAM } from "./acp-support.ts";
import { assign, hear } from "./support.ts";

test.each<[string, AgentChoice, BackendName, Record<"said" | "allowed", number | null>]>([
  ["a role, as long as the worker, where both are Claude Code", "claude", "claude", { said: 60, allowed: 60 }],
  ["a role, for ever, where that was said", "claude", "api", { said: null, allowed: null }],
  [
    "a role, a quarter of an hour beside a program that may be silent for ever",
    { command: "x" },
    "claude",
    { said: null, allowed: 900 },
  ],
  ["a role, as long as was said, beside a program", { command: "x" }, "api", { said: 60, allowed: 60 }],
  ["a program, for ever", { command: "x" }, "command", { said: null, allowed: null }],
])("silence is allowed to %s", (_name, agent, backend, { said, allowed }) => {
  expect(silenceOf(backend, { ...PLAIN_CONFIGURATION, agent, silence_timeout: said })).toBe(allowed);
});

const availableModels = ["a-model", "b-model"].map((modelId) => ({ modelId, name: modelId }));

/** An agent over ACP that says its name, and the models that it was given. */
async function named(name: string): Promise<{ choice: AgentChoice; models: () => Promise<string[]> }> {
  const diary = join(await temporaryDirectory(), "diary");
  const models = { availableModels, currentModelId: "its-own" };
  const script = JSON.stringify({ diary, models, prompts: [[{ say: `{"status": "${name}"}` }]] });
  return {
    choice: { acp: { command: [process.execPath, ACP_PROGRAM, script] } },
    models: async () => [...(await readFile(diary, "utf8")).matchAll(/"modelId":"([\w-]+)"/g)].map(([, id = ""]) => id),
  };
}

async function agentsOf(settings: Partial<Configuration>, doors?: Doors): Promise<Agent> {
  const project = await temporaryDirectory();
  const configuration = { ...PLAIN_CONFIGURATION, working_directory: project, ...settings };
  const setup = { configuration, project, environment: process.env, task_token: project, tell: teller("en") };
  const { executor } = createAgents({ ...setup, ...(doors && { doors }) });
  onTestFinished(() => executor.close?.());
  return executor;
}

const A_MODELS = { intake: "a-model", executor: "a-model", summarizer: "a-model", judge: "a-model" };

describe("another worker than the preferred one", () => {
  test("answers with its own model, and never with one that was meant for the preferred one", async () => {
    const [a, b] = [await named("A"), await named("B")];
    const all = await agentsOf({ agent: a.choice, models: A_MODELS });
    const answer = async (given: Parameters<typeof assign>[0]) => (await hear(all, assign(given))).reply.structured;
    const usual = { agent: b.choice, model: null };

    expect(await answer({})).toEqual({ status: "A" });
    expect(await answer({ worker: usual, model: "a-model" })).toEqual({ status: "B" }); // a step that names its agent
    expect(await answer({ worker: usual, role: "judge", model: "a-model" })).toEqual({ status: "B" });
    expect(await b.models()).toEqual([]);

    expect(await answer({ worker: { ...usual, model: "b-model" } })).toEqual({ status: "B" });
    expect([await a.models(), await b.models()]).toEqual([["a-model"], ["b-model"]]);
  });

  test("of the same kind answers with the model of the assignment, where there is one", async () => {
    const a = await named("A");
    const all = await agentsOf({ agent: a.choice, models: A_MODELS });

    await hear(all, assign({ worker: { agent: a.choice, model: "b-model" } }));
    expect(await a.models()).toEqual(["b-model"]);
  });

  test("leaves a role that it cannot take to the preferred one", async () => {
    const a = await named("A");
    const all = await agentsOf({ agent: a.choice, models: A_MODELS });
    const worker = { agent: { command: `echo '{"status": "program"}'` }, model: null };

    const work = await hear(all, assign({ worker }));
    const word = await hear(all, assign({ worker, role: "judge" }));
    expect(work.reply).toMatchObject({ structured: { status: "program" }, answered_by: workerName(worker) });
    expect(word.reply.structured).toEqual({ status: "A" });
    expect(word.reply.answered_by).toBeUndefined();
  });
});

test("the roles beside a program are answered by the first agent of the list that can, with its models", async () => {
  const [b, c] = [await named("B"), await named("C")];
  const agent = { command: `echo '{"status": "program"}'` };
  const fallbacks = [b, c].map(({ choice }) => ({ agent: choice, model: null }));
  const all = await agentsOf({ agent, fallbacks, models: { ...A_MODELS, judge: "b-model" } });
  const answer = async (given: Parameters<typeof assign>[0]) => (await hear(all, assign(given))).reply.structured;

  expect(await answer({})).toEqual({ status: "program" });
  expect(await answer({ role: "judge" })).toEqual({ status: "B" });
  expect(await answer({ role: "judge", worker: { agent: b.choice, model: null } })).toEqual({ status: "B" });
  expect(await answer({ role: "judge", worker: { agent: c.choice, model: null } })).toEqual({ status: "C" }); // it stands in
  expect([await b.models(), await c.models()]).toEqual([["b-model", "b-model"], []]);
});

test("the limit of one account closes its door, and no other's", async () => {
  const [a, b] = [await named("A"), await named("B")];
  const now = new Date();
  const doors = sharedDoors({ now: () => now });
  const until = now.getTime() + 3_600_000;
  doors.close(spelledAgent(a.choice), { code: "usage_limit", message: "limited" }, until);
  const all = await agentsOf({ agent: a.choice, models: A_MODELS }, doors);

  const limited = await hear(all, assign());
  const other = await hear(all, assign({ worker: { agent: b.choice, model: null } }));

  expect(limited.reply.failure).toMatchObject({ code: "usage_limit", retry_at: until });
  expect(other.reply.structured).toEqual({ status: "B" });
});
