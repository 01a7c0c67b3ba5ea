import { z } from "zod";
import type { Worker } from "./configuration.ts";
import type { Statement } from "./message.ts";
import type { Role } from "./roles.ts";
import type { Usage } from "./usage.ts";

/** A JSON Schema as plain, unchecked data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The effects of a tool call. The agent's adapter translates its own tools to this. */
export interface ToolCall {
  /** As the agent spells it; for people. */
  name: string;
  /** Paths of files that it would write, as given. */
  writes: readonly string[];
  /** Shell scripts that it would run. */
  scripts: readonly string[];
  /** For an MCP tool: its name without the server's. */
  remote?: string;
}

/** Why a tool call must not happen; undefined where it may. Pure. */
export type ToolPolicy = (call: ToolCall) => Statement | undefined;

/** Everything an agent needs for one answer in a fresh context. */
export interface Assignment {
  role: Role;
  /** The step of a flow. */
  step_id?: string;
  iteration: number;
  prompt: string;
  /** Appended to the agent's own system prompt for the executor; the whole system prompt for other roles. */
  system_prompt: string;
  /** The answer must fit this schema; free text where absent. */
  schema?: JsonSchema;
  /** Values from earlier steps, for a step that a program does. */
  inputs?: Readonly<Record<string, string>>;
  /** Overrides the agent's model for this answer. */
  model?: string;
  /** Who is to work in the place of the preferred agent, with a model of its own or its usual one: for this iteration, or for this step. */
  worker?: Worker;
  /** Seconds that the run waits for a limited agent before it gives the turn to another one; absent: it waits to the end. */
  patience?: number;
  /** The agent's own name for its permissions. */
  access?: string;
  /** A directory to answer in, with tools that read files below it and nothing else. Without it, a role has no tools. */
  reads?: string;
  /** Enforced before every tool call, even where settings allow it. */
  forbids?: ToolPolicy;
  /** The most that this answer may cost. */
  max_cost_usd?: number;
}

/** Why an agent gave no usable answer. `judgment/failures.ts` decides the consequence. */
export const FailureCode = z.enum([
  "authentication",
  "billing",
  "configuration",
  "rate_limit",
  "usage_limit",
  "overloaded",
  "server",
  "network",
  "malformed",
  "schema_resolution",
  "silent",
  "timeout",
  "turn_limit",
  "budget",
  "context_overflow",
  "refused",
  "crashed",
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** What a user does to log in to an agent; empty where there is no such command or variable, or where it is not known. */
export interface AgentLogin {
  command: string;
  variables: readonly string[];
}

export interface AgentFailure {
  code: FailureCode;
  message: Statement;
  /** Epoch milliseconds at which asking again makes sense, when the other side said so. */
  retry_at?: number;
  /** The environment variable with the key that was refused. */
  variable?: string;
  /** What logs in to the agent, where that is not Claude Code. */
  login?: AgentLogin;
  /** The proxy that did not let a request through to this address. */
  proxy?: { proxy: string; address: string; status: number };
}

/** What a tool of the agent really returned. */
export interface ToolResult {
  tool: string;
  /** The whole command, or the file or address. */
  detail: string;
  is_command: boolean;
  /** `unfinished`: it still ran when the agent ended. */
  ending: "done" | "failed" | "unfinished";
  /** The end of a command's output, the beginning of any other. */
  output: string;
  is_cut: boolean;
}

/** One answer. Failure is data, because the spending and changes of a failed call still count. */
export interface AgentReply {
  /** The agent's last text. */
  text: string;
  /** All its texts, or the end of them. */
  said?: string;
  /** The structured answer, not yet checked against our schema. */
  structured?: unknown;
  failure?: AgentFailure;
  /** The worker that has answered in the place of the preferred agent, by its name. */
  answered_by?: string;
  /** What the whole call spent. */
  usage: Usage;
  /** `Read`, `Edit`, `Bash(pytest)` … in order of first use. */
  tools_used: string[];
  files_modified: string[];
  /** What its tools returned, in order, except that files were written. For a program: what it printed beside its answer. */
  tool_results?: ToolResult[];
  /** Refused tool calls, one line each. */
  tools_denied?: string[];
}

export type ReplyContent = Pick<AgentReply, "text" | "structured" | "failure">;
