import type { Completion } from "../../model/definition/agent-file.ts";

/** One thing the caller must find out before completion can be judged; the answer goes under `key`. */
export type ObservationNeed =
  | { kind: "external"; key: string; resourceType: string }
  | { kind: "custom"; key: string; handlerPath: string }
  | { kind: "criteria"; key: string; criteria: readonly unknown[] };

/** What to look at and whom to ask, nested conditions included, each once. */
export function observationsNeeded(completion: Completion): ObservationNeed[] {
  const needs = new Map(every(completion).flatMap((one) => needOf(one).map((need) => [need.key, need] as const)));
  return [...needs.values()];
}

/** Under which key the answer for this completion is kept. */
export function answerKey({ type, config }: Completion): string {
  if (type === "externalState") return config.resourceType ?? "issue";
  if (type === "custom") return `custom:${config.handlerPath ?? ""}`;
  return `criteria:${JSON.stringify(config.criteria ?? [])}`;
}

function every(completion: Completion): Completion[] {
  return [completion, ...(completion.config.conditions ?? []).flatMap(every)];
}

function needOf(completion: Completion): ObservationNeed[] {
  const { type, config } = completion;
  const key = answerKey(completion);
  if (type === "externalState") return [{ kind: "external", key, resourceType: key }];
  if (type === "custom") return [{ kind: "custom", key, handlerPath: config.handlerPath ?? "" }];
  return type === "criteria" ? [{ kind: "criteria", key, criteria: config.criteria ?? [] }] : [];
}
