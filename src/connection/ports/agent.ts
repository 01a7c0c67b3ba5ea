import type { AgentReply, Assignment } from "../../model/agent.ts";
import type { AgentEvent } from "../../model/events.ts";
import type { Role } from "../../model/roles.ts";

/** The parts of an assignment that are known in advance. */
export type Expectation = Omit<Assignment, "prompt" | "iteration" | "inputs" | "patience">;

/** What a kind of agent can do. Ask for these, never for an agent's name. */
export interface Capabilities {
  /** Answers by a schema: it holds its model to it, or its model can be told in words and asked again by us. */
  structured_answers: boolean;
  /** Its usage includes the tokens that it took. */
  reports_tokens: boolean;
  /** Its usage includes what it cost. */
  reports_cost: boolean;
  /** Says when its account can be used again, or at least that it cannot be used now. */
  tells_limits: boolean;
  /** Chooses its model itself, unless the user names one of its own. */
  chooses_model: boolean;
  /** Obeys `allowed_tools`, `access` and `forbids`: a tool call can be refused before it happens. */
  withholds_tools: boolean;
  /** Is given the MCP servers that a task names. */
  takes_servers: boolean;
  /** Is given the skills of `skills_dir`. */
  takes_skills: boolean;
  /** Tells of its tool calls as they happen. */
  shows_calls: boolean;
  /** `allowed_tools` and `permission_mode` decide about what it asks. */
  takes_permissions: boolean;
  /** Stops after the turns of `claude_options.max_turns`. */
  limits_turns: boolean;
  /** Uses what the user has set up for Claude Code: `.claude/skills`, and MCP servers. */
  takes_claude_setup: boolean;
  /** Every answer starts without the context of the one before. */
  fresh_context: boolean;
  /** The roles it can be asked in. */
  roles: readonly Role[];
}

/**
 * Answers one assignment in a fresh context. Never throws for a failed answer: a failure is part of the reply,
 * and so is what it spent. When `signal` aborts, it ends every process it started for the answer and returns soon.
 */
export interface Agent {
  work(assignment: Assignment, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentReply>;
  /**
   * A hint that this assignment may follow. The agent may prepare for it or ignore the hint; it must not spend anything or change
   * anything visible. Returns at once and never throws. The assignment may never come.
   */
  prepare?(expected: Expectation): void;
  /** A hint that this role is not asked for a while: what is kept ready for it alone may end. */
  rest?(role: Role): void;
  /** Ends everything it keeps ready, soon. No assignment follows. */
  close?(): Promise<void>;
}
