import { randomUUID } from "node:crypto";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Reply } from "./model/reply.ts";
import type { Fault } from "./model/story.ts";

export interface ToolResult {
  id: string;
  text: string;
  is_error: boolean;
}

/** What a result says beside what all of them say. */
export interface Ending {
  subtype: "success" | "error_max_turns" | "error_max_structured_output_retries";
  is_error: boolean;
  result?: string;
  structured_output?: unknown;
  stop_reason?: string;
  terminal_reason?: string;
  api_error_status?: number | null;
}

/** Claude Code's messages, as far as our own reader and `e8 logs` look at them. */
export class Messages {
  readonly #session = { session_id: randomUUID() };
  readonly #model: string;
  readonly #started = performance.now();
  #turns = 0;
  #tokens = { inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0 };

  constructor(model: string) {
    this.#model = model;
  }

  begun(facts: { cwd: string; tools: readonly string[]; request: object }): SDKMessage {
    return this.#message({ type: "system", subtype: "init", model: this.#model, mcp_servers: [], ...facts });
  }

  said(message: Reply): SDKMessage {
    const { usage } = message;
    this.#turns += 1;
    this.#tokens = {
      inputTokens: this.#tokens.inputTokens + usage.input_tokens,
      outputTokens: this.#tokens.outputTokens + usage.output_tokens,
      cacheCreationInputTokens: this.#tokens.cacheCreationInputTokens + usage.cache_creation_input_tokens,
      cacheReadInputTokens: this.#tokens.cacheReadInputTokens + usage.cache_read_input_tokens,
    };
    return this.#message({ type: "assistant", message, parent_tool_use_id: null });
  }

  toolsEnded(results: readonly ToolResult[]): SDKMessage {
    const content = results.map(({ id, text, is_error }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: text,
      is_error,
    }));
    return this.#message({ type: "user", message: { role: "user", content }, parent_tool_use_id: null });
  }

  denied(tool: { id: string; name: string }, message: string): SDKMessage {
    const { id: tool_use_id, name: tool_name } = tool;
    return this.#message({ type: "system", subtype: "permission_denied", tool_use_id, tool_name, message });
  }

  /** The API's refusal, by the name that Claude Code has for it. */
  failed(error: string, text: string): SDKMessage {
    const message = { role: "assistant", content: [{ type: "text", text }] };
    return this.#message({ type: "assistant", message, error, parent_tool_use_id: null });
  }

  retried(status: number | null, { retry_after }: Fault): SDKMessage {
    const retry_delay_ms = retry_after === undefined ? 1 : retry_after * 1000;
    return this.#message({ type: "system", subtype: "api_retry", error_status: status, retry_delay_ms });
  }

  refused(): SDKMessage {
    return this.#message({ type: "system", subtype: "model_refusal_no_fallback" });
  }

  limited(resetsAt: number): SDKMessage {
    const rate_limit_info = { status: "rejected", resetsAt, rateLimitType: "five_hour" };
    return this.#message({ type: "rate_limit_event", rate_limit_info });
  }

  ended(ending: Ending): SDKMessage {
    const { is_error, result = "" } = ending;
    return this.#message({
      type: "result",
      ...ending,
      ...(is_error && { errors: [result] }),
      num_turns: this.#turns,
      duration_ms: Math.round(performance.now() - this.#started),
      total_cost_usd: 0,
      usage: this.#usage(),
      modelUsage: { [this.#model]: this.#tokens },
      permission_denials: [],
    });
  }

  /** The same tokens as the API names them, which is what `e8 logs` reads. */
  #usage() {
    const { inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens } = this.#tokens;
    return {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_creation_input_tokens: cacheCreationInputTokens,
      cache_read_input_tokens: cacheReadInputTokens,
    };
  }

  /** Our reader takes what another program says defensively: the rest of the SDK's keys is not missed. */
  #message(message: object): SDKMessage {
    return { ...message, ...this.#session, uuid: randomUUID() } as unknown as SDKMessage;
  }
}
