import type { AgentFile } from "../../model/flow/agent-file.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import {
  handoffKey,
  handoffName,
  runtimeVariables,
  stdinVariables,
  systemVariables,
} from "../../model/flow/variables.ts";
import { sourceOf } from "./check-inputs.ts";
import type { Draft } from "./draft.ts";

/** How surely a variable is there when a prompt is filled. */
export type Supply =
  | { kind: "sure" }
  | { kind: "optional"; cli: string }
  // There when that step has run before.
  | { kind: "handoff"; step: string };

/** Everything that is supplied to a prompt, by variable name. */
export function suppliedTo(draft: Draft, agent: AgentFile, to: Step | "system" | "retry"): Map<string, Supply> {
  const supplied = new Map<string, Supply>();
  for (const [name, supply] of handedOn(draft, to)) supplied.set(name, supply);
  for (const name of [...runtimeVariables, ...extra(to)]) supplied.set(name, { kind: "sure" });
  if (typeof to === "object") for (const name of inputNames(to)) supplied.set(name, { kind: "sure" });
  for (const [name, { cli, required, default: fallback }] of Object.entries(agent.parameters)) {
    const isSure = required || fallback !== undefined;
    if (isSure || !supplied.has(name)) supplied.set(name, isSure ? { kind: "sure" } : { kind: "optional", cli });
  }
  return supplied;
}

function extra(to: Step | "system" | "retry"): readonly string[] {
  if (to === "system") return systemVariables;
  return typeof to === "object" && to.usesStdin ? stdinVariables : [];
}

/** Under the input's own name, and under that of the value it stands for. */
export function inputNames(step: Step): string[] {
  return Object.entries(step.inputs).flatMap(([variable, input]) => {
    const source = sourceOf(input);
    const isSure = input.required || input.default !== undefined;
    if (!isSure) return [];
    return source ? [variable, handoffName(source.step, source.key)] : [variable];
  });
}

/** What a step hands on is known to every later one; whether it was earlier depends on the path. */
function handedOn({ steps }: Draft, to: Step | "system" | "retry"): [string, Supply][] {
  if (typeof to !== "object") return [];
  return Object.values(steps).flatMap(({ stepId, structuredGate }) =>
    (structuredGate?.handoffFields ?? []).map((field): [string, Supply] => [
      handoffName(stepId, handoffKey(field)),
      { kind: "handoff", step: stepId },
    ]),
  );
}
