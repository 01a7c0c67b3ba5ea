import type { SessionNotification, SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../../model/events.ts";
import { isRecord } from "../../../model/json.ts";
import type { Statement } from "../../../model/message.ts";
import type { Role } from "../../../model/roles.ts";
import { NOTHING_SPENT } from "../../../model/usage.ts";
import { ToolCalls } from "../tool-calls.ts";
import { ThreadStatus } from "./thread-status.ts";
import { describedCall, isTold, type KnownCall, returnedBy, withUpdate } from "./tools.ts";
import { SessionUsage } from "./usage.ts";

/** Characters of one text. More is cut: a model that repeats itself for ever must not fill our memory. */
const LONGEST_TEXT = 1024 * 1024;
/** Calls of one answer that are followed. */
const MOST_CALLS = 20_000;

/** Turns the updates of one session into events, and keeps the facts in them. */
export class AnswerStream {
  readonly tools = new ToolCalls();
  readonly usage = new SessionUsage();
  readonly status = new ThreadStatus();
  readonly #role: Role;
  readonly #hidesJson: boolean;
  readonly #emit: (event: AgentEvent) => void;
  readonly #calls = new Map<string, KnownCall>();
  /** Calls of which only the name is known: they are told of when there is more, or when something else happens. */
  readonly #untold = new Set<string>();
  /** The text that is being said. */
  #parts: string[] = [];
  #length = 0;
  #message: string | undefined;
  /** The texts that are complete: the last one, and the last one with a JSON object in it. */
  #last = "";
  #plan = "";
  /** Whether the agent was given the question: from then on it may have spent something. */
  is_asked = false;
  /** Whether the agent has come to the end of its answer, and so has told all that it tells. */
  is_whole = false;
  /** Whether a call of it was refused. */
  was_denied = false;
  /** Why its model refuses while it goes on asking it, where only its log says so. */
  refusal: string | undefined;
  /** The part of the cost that events have told of. */
  told_cost = 0;

  /** `hides_json`: a structured answer is not shown as text. */
  constructor({ role, hides_json }: { role: Role; hides_json: boolean }, emit: (event: AgentEvent) => void) {
    this.#role = role;
    this.#hidesJson = hides_json;
    this.#emit = emit;
  }

  /** The last text. */
  get text(): string {
    return this.#parts.length > 0 ? this.#parts.join("") : this.#last;
  }

  /** Whether the agent waits for one of its tools. */
  get isToolRunning(): boolean {
    return this.tools.running;
  }

  read({ update }: SessionNotification): void {
    if (!isRecord(update)) return;
    this.usage.read(update);
    this.#spent();
    const given = update as SessionUpdate;
    this.status.read(given);
    switch (given.sessionUpdate) {
      case "agent_message_chunk":
        this.#said(given);
        break;
      case "agent_thought_chunk":
        this.#told();
        break;
      case "tool_call":
      case "tool_call_update":
        this.#called(given.toolCallId, given);
        break;
      case "plan":
        this.#planned(given);
    }
  }

  /** The facts of a call that the agent asks about. */
  askedAbout(id: string, update: Omit<KnownCall, "toolCallId">): KnownCall {
    this.#called(id, { ...update, sessionUpdate: "tool_call_update" } as Extract<
      SessionUpdate,
      { toolCallId: string }
    >);
    this.#told();
    return this.#calls.get(id) ?? {};
  }

  deny(id: string, tool: string, reason: Statement): void {
    this.was_denied = true;
    if (this.tools.deny(id)) this.#emit({ type: "tool-denied", role: this.#role, tool, reason });
  }

  /** The answer is over: tells of what has not been told of. */
  end(): void {
    this.#told();
  }

  /** Tells of the cost as it grows. */
  #spent(): void {
    const cost_usd = this.usage.cost - this.told_cost;
    if (cost_usd <= 0) return;
    this.told_cost = this.usage.cost;
    this.#emit({ type: "usage", role: this.#role, usage: { ...NOTHING_SPENT, cost_usd } });
  }

  #said({ content, messageId }: Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" }>): void {
    if (content?.type !== "text" || typeof content.text !== "string") return;
    if (messageId != null && this.#message !== undefined && messageId !== this.#message) this.#told();
    this.#message = messageId ?? undefined;
    this.#tellCalls();
    if (this.#length > LONGEST_TEXT) return;
    this.#parts.push(content.text);
    this.#length += content.text.length;
  }

  /** Something else happens, so the text so far is complete, and no more is said of the calls so far. */
  #told(): void {
    const text = this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    this.#message = undefined;
    if (text.trim() !== "") {
      this.#last = text.trim();
      const isHidden = this.#hidesJson && ALL_JSON.test(this.#last);
      if (!isHidden) this.#emit({ type: "text", role: this.#role, text: this.#last });
    }
    this.#tellCalls();
  }

  #tellCalls(): void {
    for (const id of this.#untold) this.#begin(id);
  }

  #called(id: string, update: Extract<SessionUpdate, { toolCallId: string }>): void {
    if (typeof id !== "string" || (!this.#calls.has(id) && this.#calls.size >= MOST_CALLS)) return;
    const isNew = !this.#calls.has(id);
    if (isNew) this.#told();
    const call = withUpdate(this.#calls.get(id) ?? {}, update);
    this.#calls.set(id, call);
    if (isNew) this.#untold.add(id);
    if (this.#untold.has(id) && isTold(call)) this.#begin(id);
    else this.tools.describe(id, describedCall(call));
    const isOver = call.status === "completed" || call.status === "failed";
    if (isOver) this.tools.end(id, { is_failed: call.status === "failed", returned: returnedBy(call) });
  }

  #begin(id: string): void {
    this.#untold.delete(id);
    const described = describedCall(this.#calls.get(id) ?? {});
    this.tools.begin(id, described);
    const { tool, detail } = described;
    this.#emit({ type: "tool-call", role: this.#role, tool, detail: firstLine(detail) });
  }

  /** What the agent means to do next, once for each change. */
  #planned({ entries }: Extract<SessionUpdate, { sessionUpdate: "plan" }>): void {
    const all = Array.isArray(entries) ? entries : [];
    const open = all.filter(({ status }) => status !== "completed");
    const at = open.find(({ status }) => status === "in_progress") ?? open[0];
    const detail = at ? `${all.length - open.length}/${all.length} ${firstLine(at.content)}` : "";
    if (detail === "" || detail === this.#plan) return;
    this.#told();
    this.#plan = detail;
    this.#emit({ type: "tool-call", role: this.#role, tool: "Plan", detail });
  }
}

const ALL_JSON = /^(?:```\w*\s*)?\{[\s\S]*\}(?:\s*```)?$/;

function firstLine(text: unknown): string {
  const [line = ""] = String(text).trim().split("\n", 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
