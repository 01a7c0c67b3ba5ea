import type { Intent, Step, Transition } from "../../model/definition/steps-registry.ts";

type Steps = Readonly<Record<string, Step>>;

/** The steps that can follow a step. A jump whose target the model names can lead anywhere. */
export function successors(steps: Steps, step: Step): string[] {
  const gate = step.structuredGate;
  if (!gate) return [...declared(step), ...continuation(steps, step)].filter((id) => Object.hasOwn(steps, id));
  const targets = gate.allowedIntents.flatMap((intent) => {
    if (intent === "jump" && gate.targetField !== undefined)
      return Object.keys(steps).filter((id) => !id.startsWith("section."));
    return targetsOf(step.transitions[intent]);
  });
  return [...new Set(targets)].filter((id) => Object.hasOwn(steps, id));
}

/** Every step that a transition can lead to. */
export function targetsOf(transition: Transition | undefined): string[] {
  if (!transition) return [];
  const targets = "targets" in transition ? Object.values(transition.targets) : [transition.target];
  return targets.filter((target) => target !== null);
}

/** What can be reached from a step, itself included; `without` is taken out of the graph. */
export function reachable(steps: Steps, from: readonly string[], without?: string): Set<string> {
  const seen = new Set<string>();
  const open = from.filter((id) => id !== without && Object.hasOwn(steps, id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = steps[id];
    if (seen.has(id) || !step) continue;
    seen.add(id);
    open.push(...successors(steps, step).filter((next) => next !== without));
  }
  return seen;
}

/** Whether one step has run whenever another begins: always, on some paths only, or never. */
export function runsBefore(
  steps: Steps,
  entries: readonly string[],
  before: string,
  step: string,
): "always" | "sometimes" | "never" {
  const first = steps[before];
  if (!first || !reachable(steps, entries).has(before)) return "never";
  if (!reachable(steps, successors(steps, first)).has(step)) return "never";
  return before === step || reachable(steps, entries, before).has(step) ? "sometimes" : "always";
}

function declared({ transitions }: Step): string[] {
  return (Object.keys(transitions) as Intent[]).flatMap((intent) => targetsOf(transitions[intent]));
}

/** Without gates the flow goes on to the continuation of the same name, where there is one. */
function continuation(steps: Steps, { c3 }: Step): string[] {
  const id = `continuation.${c3}`;
  return Object.hasOwn(steps, id) ? [id] : [];
}
