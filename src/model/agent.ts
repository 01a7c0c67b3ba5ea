import { z } from "zod";
import type { Statement } from "./message.ts";
import type { Role } from "./roles.ts";
import type { Usage } from "./usage.ts";

/** A JSON Schema as plain data; who needs its parts reads them defensively. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool call by what it would do, whatever the agent calls its tools. The agent's adapter translates. */
export interface ToolCall {
  /** As the agent spells it; for people. */
  name: string;
  /** The files that it would write; paths as given. */
  writes: readonly string[];
  /** The shell scripts that it would run. */
  scripts: readonly string[];
  /** Behind MCP: the tool's own name, without its server's. */
  remote?: string;
}

/** Why a tool call must not happen; undefined where it may. Pure. */
export type ToolPolicy = (call: ToolCall) => Statement | undefined;

/** Everything an agent needs for one answer in a fresh context. */
export interface Assignment {
  role: Role;
  /** The step of an agent made of steps. */
  step_id?: string;
  iteration: number;
  prompt: string;
  /** For the executor this is appended to the agent's own system prompt; the other roles have no other. */
  system_prompt: string;
  /** The answer must fit this schema; free text where absent. */
  schema?: JsonSchema;
  /** What was handed on to this step, where a program does it. */
  inputs?: Readonly<Record<string, string>>;
  /** What differs from the agent's own settings for this one answer. */
  model?: string;
  /** How freely it may use its tools, in the agent's own words. */
  access?: string;
  /** Why a tool call must not happen; undefined where it may. Enforced before the call, whatever else allows it. */
  forbids?: ToolPolicy;
  /** What may still be spent on this answer. */
  max_cost_usd?: number;
}

/** Why an agent gave no usable answer. What follows from it is decided in `judgment/failures.ts`. */
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

export interface AgentFailure {
  code: FailureCode;
  message: Statement;
  /** Epoch milliseconds at which asking again makes sense, when the other side said so. */
  retry_at?: number;
  /** The environment variable with the key that was refused. */
  variable?: string;
  /** The proxy that did not let a request through to this address. */
  proxy?: { proxy: string; address: string; status: number };
}

/** One answer. Failure is data, because what a failed call spent and touched still counts. */
export interface AgentReply {
  /** The agent's last text. */
  text: string;
  /** The structured answer as the agent gave it, not yet held against our schema. */
  structured?: unknown;
  failure?: AgentFailure;
  /** What the whole call spent. */
  usage: Usage;
  /** `Read`, `Edit`, `Bash(pytest)` … in order of first use. */
  tools_used: string[];
  files_modified: string[];
  /** What it tried and was not allowed, one line each. */
  tools_denied?: string[];
}

/** What an agent has to say, whatever it took. */
export type ReplyContent = Pick<AgentReply, "text" | "structured" | "failure">;
