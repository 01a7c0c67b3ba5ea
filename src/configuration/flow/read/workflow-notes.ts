import type { NoEffect } from "../../../model/flow/problem.ts";
import type { WorkflowJson } from "../../../model/flow/workflow-json.ts";

type Note = (path: PropertyKey[], key: string, reason: NoEffect) => void;

/** Names the keys of a workflow.json that are understood and change nothing. */
export function notesOnWorkflow(json: WorkflowJson, note: Note): void {
  for (const [key, reason] of UNUSED) if (json[key] !== undefined) note([key], key, reason);
  for (const key of ["rateLimitThreshold", "rateLimitPollIntervalMs"] as const)
    if (json.rules?.[key] !== undefined) note(["rules", key], key, "limit_awaited");
  for (const [name, agent] of Object.entries(json.agents)) {
    const idle =
      agent.role === "transformer" ? (["outputPhases"] as const) : (["outputPhase", "fallbackPhases"] as const);
    for (const key of idle) if (agent[key] !== undefined) note(["agents", name, key], key, "role_decides");
    notesOnClosing(agent.closeBinding, (path, ...said) => note(["agents", name, "closeBinding", ...path], ...said));
  }
}

const UNUSED = [
  ["subjectStore", "payload_unchecked"],
  ["issueStore", "payload_unchecked"],
  ["payloadSchema", "payload_unchecked"],
  ["projectBinding", "projects_unused"],
  ["issueSource", "tracker_decides"],
] as const;

function notesOnClosing(binding: WorkflowJson["agents"][string]["closeBinding"], note: Note): void {
  if (binding?.primary.kind === "custom") note(["primary", "kind"], "custom", "channel_unknown");
  if (binding?.cascade) note(["cascade"], "cascade", "own_issue_only");
}
