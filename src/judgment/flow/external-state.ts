import type { CompletionConfig } from "../../model/definition/agent-file.ts";

const DEFAULT_TARGETS: Readonly<Record<string, string>> = {
  issue: "CLOSED",
  pr: "MERGED",
  file: "EXISTS",
  command: "PASSED",
};

/** The state that is waited for. A closed pull request that was not merged is not what anybody waits for by default. */
export function targetState({ resourceType = "issue", targetState }: CompletionConfig): string {
  return targetState ?? DEFAULT_TARGETS[kindOf(resourceType)] ?? "CLOSED";
}

/** Whether the state that was read is the one waited for; case does not matter. A merged pull request is also closed. */
export function stateReached(
  config: CompletionConfig,
  state: string | undefined,
): { complete: boolean; reason: string } {
  const target = targetState(config);
  const what = `the ${config.resourceType ?? "issue"} is`;
  if (state === undefined) return { complete: false, reason: `${what} in a state that nobody read` };
  const [is, wanted] = [normal(state), normal(target)];
  const complete = is === wanted || (is === "merged" && wanted === "closed");
  return { complete, reason: complete ? `${what} ${state}` : `${what} ${state}, not ${target}` };
}

function normal(state: string): string {
  return state.trim().toLowerCase();
}

/** Definitions also say `github-issue`, `pull_request` and the like. */
function kindOf(resourceType: string): string {
  if (/issue/i.test(resourceType)) return "issue";
  return /^pr$|pull/i.test(resourceType) ? "pr" : resourceType.toLowerCase();
}
