import { expect, onTestFinished, vi } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../../../src/connection/agents/scripted/model/server.ts";
import type { Scene, Story } from "../../../../../src/connection/agents/scripted/model/story.ts";

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
}

export interface Message {
  role: string;
  content: string | Block[] | object[];
}

export interface Reply {
  status: number;
  headers: Headers;
  content: Block[];
  stop_reason: string;
  usage: Record<string, number>;
  model: string;
  error?: { type: string; message: string };
}

export interface Question {
  /** Role in the system text's marker line. */
  who?: string;
  messages?: Message[];
  [key: string]: unknown;
}

/** A scripted model that is closed when the test ends. */
export async function play(story: Story | Scene, ...more: Scene[]): Promise<ScriptedModel> {
  const model = await startScriptedModel("scenes" in story ? story : { scenes: [story, ...more] });
  onTestFinished(() => model.close());
  return model;
}

/** The raw HTTP exchange. */
export function post(model: ScriptedModel, question: Question = {}, signal?: AbortSignal): Promise<Response> {
  const { who, ...body } = question;
  const system = who === undefined ? "You are helpful." : `You are helpful.\nendless8-role: ${who}\n`;
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "sk-ant-secret" },
    body: JSON.stringify({ model: "claude-sonnet-5", max_tokens: 100, system, messages: [user("hello")], ...body }),
    ...(signal ? { signal } : {}),
  });
}

export async function ask(model: ScriptedModel, question: Question = {}): Promise<Reply> {
  const response = await post(model, question);
  return { ...((await response.json()) as Reply), status: response.status, headers: response.headers };
}

export function user(content: Message["content"]): Message {
  return { role: "user", content };
}

export function assistant(content: Message["content"]): Message {
  return { role: "assistant", content };
}

/** What a client sends back after it has run the tools of a reply. */
export function results(reply: Reply): Message {
  const calls = reply.content.filter((block) => block.type === "tool_use");
  return user(calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, content: "done" })));
}

/** The only text of a reply, or what it says went wrong. */
export function text(reply: Reply): string {
  return reply.error?.message ?? reply.content.map((block) => block.text ?? `[${block.name}]`).join("");
}

/** Asks, and leaves as soon as the model has heard the question. */
export async function askAndLeave(model: ScriptedModel): Promise<void> {
  const leaving = new AbortController();
  const asked = expect(post(model, {}, leaving.signal)).rejects.toThrow();
  await vi.waitUntil(() => model.requests.length === 1, 10_000);
  leaving.abort();
  await asked;
}
