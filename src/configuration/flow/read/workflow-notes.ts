import type { NoEffect } from "../../../model/flow/problem.ts";
import type { WorkflowJson } from "../../../model/flow/workflow-json.ts";

/** Names the keys of a workflow.json that are understood and change nothing. */
export function notesOnWorkflow(
  json: WorkflowJson,
  note: (path: PropertyKey[], key: string, reason: NoEffect) => void,
): void {
  for (const key of ["subjectStore", "payloadSchema"] as const)
    if (json[key] !== undefined) note([key], key, "payload_unchecked");
  if (json.projectBinding !== undefined) note(["projectBinding"], "projectBinding", "projects_unused");
  for (const key of ["rateLimitThreshold", "rateLimitPollIntervalMs"] as const)
    if (json.rules?.[key] !== undefined) note(["rules", key], key, "limit_awaited");
  for (const [name, agent] of Object.entries(json.agents)) {
    const idle =
      agent.role === "transformer" ? (["outputPhases"] as const) : (["outputPhase", "fallbackPhases"] as const);
    for (const key of idle) if (agent[key] !== undefined) note(["agents", name, key], key, "role_decides");
  }
}
