import { agentFrom } from "../../../model/agent-choice.ts";
import type { AgentChoice } from "../../../model/configuration.ts";
import type { NoEffect } from "../../../model/flow/problem.ts";
import type { GateJson, RegistryJson, StepJson, TransitionJson } from "../../../model/flow/registry-json.ts";
import {
  type Intent,
  isSection,
  type Step,
  type StepKind,
  type StructuredGate,
  type Transition,
} from "../../../model/flow/steps-registry.ts";
import type { Report } from "../report.ts";

export const INTENTS: readonly Intent[] = ["next", "repeat", "jump", "handoff", "escalate", "closing"];

/** The steps with their defaults filled in. Later checks look inside them. */
export function readSteps(json: RegistryJson, file: string, generation: 1 | 2, report: Report): Record<string, Step> {
  const steps = Object.entries(json.steps).map(([key, step]): [string, Step] => {
    const place = (...path: string[]) => ({ file, path: ["steps", key, ...path] });
    if (step.stepId !== key) report.add("STEP_ID_MISMATCH", place("stepId"), { key, stepId: step.stepId });
    if (generation === 1 && step.fallbackKey === undefined) report.add("STEP_FALLBACK_KEY", place("fallbackKey"), {});
    const stepKind = step.stepKind ?? kindByPath(step.c2);
    if (!stepKind && !isSection(key)) report.add("STEP_KIND_UNKNOWN", place("c2"), { c2: step.c2 });
    noteIdleKeys(step, key, file, report);
    return [key, { ...readStep(step), stepId: key, stepKind: stepKind ?? "work" }];
  });
  return Object.fromEntries(steps);
}

const KINDS: Readonly<Record<string, StepKind>> = {
  initial: "work",
  continuation: "work",
  verification: "verification",
  closure: "closure",
};

function kindByPath(c2: string): StepKind | undefined {
  return Object.hasOwn(KINDS, c2) ? KINDS[c2] : undefined;
}

function readStep(step: StepJson): Omit<Step, "stepId" | "stepKind"> {
  return {
    name: step.name,
    c2: step.c2,
    c3: step.c3,
    edition: step.edition ?? "default",
    ...(step.adaptation !== undefined && { adaptation: step.adaptation }),
    uvVariables: step.uvVariables ?? [],
    usesStdin: step.usesStdin ?? false,
    ...(step.outputSchemaRef && { outputSchemaRef: step.outputSchemaRef }),
    ...(step.structuredGate && { structuredGate: readGate(step.structuredGate) }),
    transitions: readTransitions(step.transitions ?? {}),
    inputs: Object.fromEntries(
      Object.entries(step.inputs ?? {}).map(([name, input]) => [name, { ...input, required: input.required ?? true }]),
    ),
    ...(step.model !== undefined && { model: step.model }),
    ...(step.description !== undefined && { description: step.description }),
    ...(step.permissionMode !== undefined && { permissionMode: step.permissionMode }),
    ...readRunner(step.runner),
  };
}

/** A program, or an agent. A runner with neither is reported by its check. */
function readRunner(runner: StepJson["runner"]): Pick<Step, "runner" | "agent"> {
  if (runner?.command !== undefined)
    return { runner: { command: runner.command, args: runner.args ?? [], timeout: runner.timeout ?? 30_000 } };
  return runner?.agent === undefined ? {} : { agent: agentFrom(runner.agent) as AgentChoice };
}

/** Unknown intents are reported by the gate's check and left out here. */
function readGate(gate: GateJson): StructuredGate {
  const fallback = INTENTS.find((intent) => intent === gate.fallbackIntent);
  return {
    allowedIntents: INTENTS.filter((intent) => gate.allowedIntents.includes(intent)),
    intentField: gate.intentField,
    intentSchemaRef: gate.intentSchemaRef,
    ...(gate.targetField !== undefined && { targetField: gate.targetField }),
    handoffFields: gate.handoffFields ?? [],
    ...(fallback && { fallbackIntent: fallback }),
    failFast: gate.failFast ?? true,
  };
}

function readTransitions(transitions: Readonly<Record<string, TransitionJson | undefined>>): Step["transitions"] {
  return Object.fromEntries(
    INTENTS.flatMap((intent): [Intent, Transition][] => {
      const transition = transitions[intent];
      if (!transition) return [];
      if (transition.condition !== undefined && transition.targets) {
        return [[intent, { condition: transition.condition, targets: transition.targets }]];
      }
      return transition.target === undefined ? [] : [[intent, { target: transition.target }]];
    }),
  );
}

function noteIdleKeys(step: StepJson, key: string, file: string, report: Report): void {
  const note = (path: readonly string[], reason: NoEffect) =>
    report.add("AGENT_KEY_WITHOUT_EFFECT", { file, path: ["steps", key, ...path] }, { key: path.at(-1) ?? "", reason });
  if (step.condition !== undefined) note(["condition"], "graph_decides");
  if (step.priority !== undefined) note(["priority"], "graph_decides");
  if (step.type !== undefined && step.type !== "prompt") note(["type"], "kind_decides");
  if (step.structuredGate?.targetMode !== undefined) note(["structuredGate", "targetMode"], "graph_decides");
  for (const [intent, transition] of Object.entries(step.transitions ?? {})) {
    if (transition?.fallback !== undefined) note(["transitions", intent, "fallback"], "tried_again");
  }
}
