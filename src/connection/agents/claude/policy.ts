import type { HookCallback, Options } from "@anthropic-ai/claude-agent-sdk";
import type { ToolPolicy } from "../../../model/agent.ts";
import { type Statement, worded, wordingOf, wordsIn } from "../../../model/statement.ts";
import { ANSWER_TOOL, inputOf, toolCallOf } from "./tool-names.ts";

export interface Denial {
  id: string;
  tool: string;
  reason: Statement;
}

/**
 * Has Claude Code ask the policy before every tool call, a subagent's and an MCP server's included. A hook's refusal holds
 * in every permission mode, and over every rule that would allow the call.
 */
export function policyHooks(forbids: ToolPolicy, denied: (denial: Denial) => void): Pick<Options, "hooks"> {
  const decide: HookCallback = async (call) => {
    if (call.hook_event_name !== "PreToolUse" || call.tool_name === ANSWER_TOOL) return {};
    const reason = reasonAgainst(forbids, call.tool_name, call.tool_input);
    if (reason === undefined) return {};
    denied({ id: call.tool_use_id, tool: call.tool_name, reason });
    const permissionDecisionReason = wordsIn("en", reason);
    return {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
    };
  };
  return { hooks: { PreToolUse: [{ hooks: [decide], timeout: ANSWER_SECONDS }] } };
}

/** A decision that comes too late is taken for a yes: even a machine that is stopped for an hour must not be too late. */
const ANSWER_SECONDS = 24 * 3600;

/** A policy that fails has not allowed anything. */
export function reasonAgainst(forbids: ToolPolicy, tool: string, input: unknown): Statement | undefined {
  try {
    return forbids(toolCallOf(tool, inputOf(input)));
  } catch (error) {
    const problem = wordingOf(error);
    return worded(
      (say) => `the tool policy could not decide: ${say(problem)}`,
      (say) => `ツールの制限を判断できませんでした: ${say(problem)}`,
    );
  }
}
