import type { CompletionConfig, ResourceType } from "../../model/flow/agent-file.ts";
import { type Message, message } from "../../model/message.ts";

const DEFAULT_TARGETS: Readonly<Record<ResourceType, string>> = {
  issue: "CLOSED",
  pr: "MERGED",
  file: "EXISTS",
  command: "PASSED",
};

/** The state that is waited for. By default a pull request must be merged: closing it is not enough. */
function targetState({
  resourceType = "issue",
  targetState = DEFAULT_TARGETS[resourceType],
}: CompletionConfig): string {
  return targetState;
}

interface StateResult {
  complete: boolean;
  reason: Message;
}

/** Whether the state that was read is the one waited for; case does not matter. A merged pull request is also closed. */
export function stateReached(config: CompletionConfig, state: string | undefined): StateResult {
  const target = targetState(config);
  const resource = config.resourceType ?? "issue";
  if (state === undefined) return { complete: false, reason: message("state_unread", { resource }) };
  const [is, wanted] = [normal(state), normal(target)];
  if (is === wanted || (is === "merged" && wanted === "closed"))
    return { complete: true, reason: message("state_reached", { resource, state }) };
  return { complete: false, reason: message("state_not_reached", { resource, state, target }) };
}

/** Whether our own boundary hook will bring about the state that is waited for. It has not acted yet, and may fail. */
export function stateToCome(config: CompletionConfig, state = ""): StateResult {
  const target = targetState(config);
  if (normal(state) === normal(target)) return { complete: true, reason: message("closing_left_to_hook", {}) };
  return { complete: false, reason: message("hook_reaches_other_state", { state, target }) };
}

const SAME: Readonly<Record<string, string>> = {
  success: "passed",
  failure: "failed",
  present: "exists",
  absent: "missing",
};

function normal(state: string): string {
  const plain = state.trim().toLowerCase();
  return SAME[plain] ?? plain;
}
