import type { Step, StepInput } from "../../../model/flow/steps-registry.ts";
import { handoffKey, runtimeVariables, stdinVariables } from "../../../model/flow/variables.ts";
import { nearest } from "../../nearest.ts";
import type { Place } from "../report.ts";
import { type Draft, stepPlace } from "./draft.ts";
import { runsBefore } from "./paths.ts";

/** Each input must name an existing step that runs earlier, and a key that it hands on. */
export function checkInputs(draft: Draft, parameters: readonly string[]): void {
  for (const step of Object.values(draft.steps)) {
    const taken = new Set<string>([...parameters, ...runtimeVariables, ...(step.usesStdin ? stdinVariables : [])]);
    for (const [variable, input] of Object.entries(step.inputs)) {
      if (taken.has(variable)) {
        draft.report.add("INPUT_SHADOWED", stepPlace(draft, step.stepId, "inputs", variable), { variable });
      }
      checkInput(draft, step, variable, input);
    }
  }
}

/** Step ids contain dots: the key follows the last one. */
export function sourceOf({ from }: StepInput): { step: string; key: string } | undefined {
  const dot = from.lastIndexOf(".");
  return dot <= 0 || dot === from.length - 1 ? undefined : { step: from.slice(0, dot), key: from.slice(dot + 1) };
}

function checkInput(draft: Draft, { stepId }: Step, variable: string, input: StepInput): void {
  const { report, steps } = draft;
  const place = stepPlace(draft, stepId, "inputs", variable, "from");
  const source = sourceOf(input);
  if (!source) {
    report.add("INPUT_FROM_MALFORMED", place, { from: input.from });
    return;
  }
  const { step, key } = source;
  const origin = Object.hasOwn(steps, step) ? steps[step] : undefined;
  const known = origin?.structuredGate?.handoffFields.map(handoffKey) ?? [];
  if (!origin) {
    const details = { from: input.from, step, nearest: nearest(step, Object.keys(steps)) };
    report.add("INPUT_STEP_UNKNOWN", place, details);
  } else if (!known.includes(key)) report.add("INPUT_KEY_UNKNOWN", place, { step, key, known });
  else if (input.required && input.default === undefined) checkOrder(draft, stepId, step, place);
}

function checkOrder(draft: Draft, stepId: string, step: string, place: Place): void {
  if (draft.entry === undefined) return;
  const before = runsBefore(draft.graph, draft.entry, step, stepId);
  if (before === "never") draft.report.add("INPUT_NEVER_BEFORE", place, { step, stepId });
  else if (before === "sometimes") draft.report.add("INPUT_NOT_ALWAYS", place, { step, stepId });
}

/** Subprocess steps: `${context.name}` in their arguments must be a parameter. */
export function checkRunners(draft: Draft, parameters: readonly string[]): void {
  for (const { stepId, runner } of Object.values(draft.steps)) {
    if (!runner) continue;
    runner.args.forEach((argument, index) => {
      for (const [, name = ""] of argument.matchAll(/\$\{context\.([^}]*)\}/g)) {
        if (parameters.includes(name)) continue;
        draft.report.add("RUNNER_VARIABLE_UNKNOWN", stepPlace(draft, stepId, "runner", "args", index), { name });
      }
    });
  }
}
