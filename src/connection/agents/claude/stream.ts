import type {
  SDKAPIRetryMessage,
  SDKAssistantMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKResultMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "../../../model/events.ts";
import { valueAt } from "../../../model/json.ts";
import { type Statement, message as told } from "../../../model/message.ts";
import { type Notice, notice } from "../../../model/notices.ts";
import type { Role } from "../../../model/roles.ts";
import { NOTHING_SPENT, type Usage } from "../../../model/usage.ts";
import { ToolCalls } from "../tool-calls.ts";
import { retryCode, type Troubles } from "./failures.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { ANSWER_TOOL, type Denial, describedCall, inputOf, textIn, toolDetail } from "./tools.ts";
import { resultSpending, UsageTally } from "./usage-tally.ts";

type SystemMessage = Extract<SDKMessage, { type: "system" }>;

/** Claude Code renews an expired login after the first refusal. A key cannot be renewed. */
const REFUSALS_OF_A_LOGIN = 3;

interface Source {
  role: Role;
  /** Whether the process serves several roles, and names the role in its answers. */
  isJoint: boolean;
  /** Notices that were given before. */
  known: Set<string>;
  pricing?: Pick<ClaudeAgentOptions, "prices" | "has_cost_budget">;
}

/** Turns Claude Code's messages into events, and keeps the facts in them. */
export class ClaudeStream {
  readonly tools = new ToolCalls();
  readonly troubles: Troubles = {
    error: undefined,
    limit: undefined,
    retry_delay_ms: undefined,
    refused: false,
    answered: false,
  };
  /** The last result that counts as an answer. */
  result: SDKResultMessage | undefined;
  structured: unknown;
  begun = false;
  /** Whether background tasks are running. */
  hasBackgroundWork = false;
  /** The key or login was refused too often: more retries are pointless. */
  unauthorised = false;
  readonly #role: Role;
  readonly #isJoint: boolean;
  readonly #known: Set<string>;
  readonly #pricing: NonNullable<Source["pricing"]>;
  readonly #tally = new UsageTally();
  #spending: Omit<Usage, "seconds"> = { tokens: 0, cost_usd: 0 };
  /** Calls that our policy refused and no event has reported yet. */
  #refused: Denial[] = [];
  #text = "";
  #refusalsLeft = REFUSALS_OF_A_LOGIN;
  #closed = false;

  constructor({ role, isJoint, known, pricing }: Source) {
    this.#role = role;
    this.#isJoint = isJoint;
    this.#known = known;
    this.#pricing = pricing ?? { prices: {}, has_cost_budget: false };
  }

  get text(): string {
    return this.#text || (this.result?.subtype === "success" && !this.result.is_error ? this.result.result : "");
  }

  /** The part of an answer that belongs to the role. */
  own(answer: unknown): unknown {
    return this.#isJoint ? valueAt(answer, this.#role) : answer;
  }

  /** Whether the answer is complete. An executor's plain result may be followed by another one when background work ends. */
  get over(): boolean {
    if (this.result && this.#role !== "executor") return true;
    return this.unauthorised || this.structured !== undefined || this.result?.is_error === true;
  }

  /** Later results count only for what they spent: they report our own interruption. */
  close(): void {
    this.#closed = true;
  }

  /** Everything known to be spent. */
  spent(): Omit<Usage, "seconds"> {
    return { ...this.#spending, tokens: Math.max(this.#tally.total, this.#spending.tokens) };
  }

  /** The tokens that no usage event has reported yet. */
  untold(): number {
    return Math.max(0, this.spent().tokens - this.#tally.total) + this.#tally.take();
  }

  *leftOut(servers: readonly string[]): Generator<AgentEvent> {
    if (servers.length > 0) yield* this.#notice(notice("mcp_left_out", { servers: servers.join(", ") }));
  }

  /** Takes a call that the policy refused. The message with the call is read later. */
  refuse(denial: Denial): void {
    this.#refused.push(denial);
  }

  *read(message: SDKMessage): Generator<AgentEvent> {
    yield* this.#message(message);
    yield* this.#refusals((denial) => this.tools.knows(denial.id));
  }

  /** Reports refused calls that no message contained. */
  *rest(): Generator<AgentEvent> {
    yield* this.#refusals(() => true);
  }

  *#message(message: SDKMessage): Generator<AgentEvent> {
    switch (message.type) {
      case "assistant":
        return yield* this.#assistant(message);
      case "user":
        return yield* this.#user(message);
      case "stream_event":
        return yield* this.#partial(message);
      case "result":
        return yield* this.#result(message);
      case "system":
        return yield* this.#system(message);
      case "rate_limit_event":
        if (message.rate_limit_info.status === "rejected") this.troubles.limit = message.rate_limit_info;
    }
  }

  *#assistant({ message, error, parent_tool_use_id }: SDKAssistantMessage): Generator<AgentEvent> {
    if (error) {
      this.troubles.error = error;
      return;
    }
    // An answer ends all trouble before it.
    Object.assign(this.troubles, { error: undefined, limit: undefined, retry_delay_ms: undefined, answered: true });
    this.#tally.count(message.id, message.usage);
    for (const block of message.content) {
      if (block.type === "text" && parent_tool_use_id === null) yield* this.#said(block.text);
      if (block.type === "tool_use" && block.name !== ANSWER_TOOL) yield this.#called(block.id, block);
    }
  }

  *#said(text: string): Generator<AgentEvent> {
    if (text.trim() === "") return;
    this.#text = text;
    yield { type: "text", role: this.#role, text };
  }

  #called(id: string, { name, input }: { name: string; input: unknown }): AgentEvent {
    const given = inputOf(input);
    this.tools.begin(id, describedCall(name, given));
    return { type: "tool-call", role: this.#role, tool: name, detail: toolDetail(given) };
  }

  *#user({ message }: SDKUserMessage): Generator<AgentEvent> {
    for (const block of Array.isArray(message.content) ? message.content : []) {
      if (block.type !== "tool_result") continue;
      this.tools.end(block.tool_use_id, { is_failed: block.is_error === true, returned: textIn(block.content) });
    }
    yield* this.#usage();
  }

  *#partial({ event, parent_tool_use_id }: SDKPartialAssistantMessage): Generator<AgentEvent> {
    if (event.type === "message_start") this.#tally.begin(parent_tool_use_id, event.message.id, event.message.usage);
    if (event.type === "message_delta") this.#tally.grow(parent_tool_use_id, event.usage);
    if (event.type === "message_stop") yield* this.#usage();
  }

  *#result(result: SDKResultMessage): Generator<AgentEvent> {
    const { tokens, cost_usd, unpriced } = resultSpending(result, this.#pricing.prices);
    if (this.#pricing.has_cost_budget)
      for (const model of unpriced) yield* this.#notice(notice("cost_unknown", { model }));
    this.#spending = {
      tokens: Math.max(tokens, this.#spending.tokens),
      cost_usd: Math.max(cost_usd, this.#spending.cost_usd),
      ...(unpriced.length > 0 && { unknown: ["cost"] }),
    };
    for (const { tool_use_id, tool_name } of result.permission_denials ?? [])
      yield* this.#denied(tool_use_id, tool_name, BY_SETTINGS);
    if (this.#closed) return;
    this.result = result;
    if (result.subtype === "success") this.structured = this.own(result.structured_output) ?? this.structured;
  }

  *#system(message: SystemMessage): Generator<AgentEvent> {
    switch (message.subtype) {
      case "init":
        this.begun = true;
        if (STATIC_KEYS.includes(message.apiKeySource)) this.#refusalsLeft = 1;
        for (const server of message.mcp_servers ?? []) yield* this.#server(server);
        return;
      case "permission_denied":
        return yield* this.#denied(message.tool_use_id, message.tool_name, shortReason(message.message));
      case "api_retry":
        return yield* this.#retry(message);
      case "background_tasks_changed":
        this.hasBackgroundWork = message.tasks.length > 0;
        return;
      case "model_refusal_no_fallback":
        this.troubles.refused = true;
    }
  }

  *#retry({ error_status: status, error, attempt, max_retries, retry_delay_ms }: SDKAPIRetryMessage) {
    this.troubles.retry_delay_ms = retry_delay_ms;
    if (status === 401) this.#refusalsLeft -= 1;
    this.unauthorised = this.#refusalsLeft <= 0;
    if (this.unauthorised) return;
    const [code, until] = [retryCode(status, error), Date.now() + retry_delay_ms];
    yield { type: "api-retry", role: this.#role, code, status, attempt, max_attempts: max_retries, until } as const;
  }

  *#server({ name, status }: { name: string; status: string }): Generator<AgentEvent> {
    if (status === "failed" || status === "needs-auth") yield* this.#notice(notice("mcp_failed", { server: name }));
  }

  *#notice(given: Notice): Generator<AgentEvent> {
    const key = JSON.stringify(given);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    yield { type: "notice", notice: given };
  }

  *#refusals(due: (denial: Denial) => boolean): Generator<AgentEvent> {
    const now = this.#refused.filter(due);
    this.#refused = this.#refused.filter((denial) => !now.includes(denial));
    for (const { id, tool, reason } of now) yield* this.#denied(id, tool, reason);
  }

  *#denied(id: string, tool: string, reason: Statement): Generator<AgentEvent> {
    if (this.tools.deny(id)) yield { type: "tool-denied", role: this.#role, tool, reason };
  }

  *#usage(): Generator<AgentEvent> {
    const tokens = this.#tally.take();
    if (tokens > 0) yield { type: "usage", role: this.#role, usage: { ...NOTHING_SPENT, tokens } };
  }
}

const BY_SETTINGS: Statement = told("denied_by_settings", {});
const STATIC_KEYS = ["ANTHROPIC_API_KEY", "/login managed key"];

/** The text after the mark is advice to the model. */
function shortReason(message: string): string {
  return message.split(" IMPORTANT:", 1)[0] ?? message;
}
