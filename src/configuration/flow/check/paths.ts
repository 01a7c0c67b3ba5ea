import { type Intent, intentsOf, isSection, type Step, type Transition } from "../../../model/flow/steps-registry.ts";
import { nearest } from "../../nearest.ts";

type Steps = Readonly<Record<string, Step>>;

/** Which steps can follow which. */
export type FlowGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Where a step's gate or target is itself at fault, the graph takes what was probably meant: one slip should be
 * reported once, and not again as everything that is cut off by it.
 */
export function flowGraph(steps: Steps, isDoubtful: (step: Step) => boolean): FlowGraph {
  const ids = Object.keys(steps);
  const known = new Set(ids);
  const meant = (id: string) => (known.has(id) ? id : nearest(id, ids));
  const graph = Object.values(steps).map((step): [string, string[]] => {
    const targets = successors(step, ids, isDoubtful(step)).map(meant);
    return [step.stepId, [...new Set(targets.filter((id) => id !== undefined))]];
  });
  return new Map(graph);
}

function successors(step: Step, ids: readonly string[], isDoubtful: boolean): string[] {
  const gate = step.structuredGate;
  const continuation = `continuation.${step.c3}`;
  // Without gates the flow goes on to the continuation of the same name, where there is one.
  if (!gate) return [...declaredTargets(step), ...(ids.includes(continuation) ? [continuation] : [])];
  // A jump whose target the model names can lead anywhere.
  if (gate.allowedIntents.includes("jump") && gate.targetField !== undefined) return ids.filter((id) => !isSection(id));
  if (isDoubtful) return declaredTargets(step);
  return gate.allowedIntents.flatMap((intent) => targetsOf(step.transitions[intent]));
}

/** Whether a step's list of intents is wrong by itself. */
export function hasStrangeIntents({ stepKind }: Step, intents: readonly string[]): boolean {
  const allowed: readonly string[] = intentsOf[stepKind];
  return intents.some((intent) => !allowed.includes(intent));
}

/** What can be reached from some steps, themselves included; `without` is taken out of the graph. */
export function reachable(graph: FlowGraph, from: readonly string[], without?: string): Set<string> {
  const seen = new Set<string>();
  const open = from.filter((id) => graph.has(id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id) || id === without) continue;
    seen.add(id);
    open.push(...(graph.get(id) ?? []));
  }
  return seen;
}

/** Whether one step has run whenever another begins: always, on some paths only, or never. */
export function runsBefore(
  graph: FlowGraph,
  entry: string,
  before: string,
  step: string,
): "always" | "sometimes" | "never" {
  if (!reachable(graph, [entry]).has(before)) return "never";
  if (!reachable(graph, graph.get(before) ?? []).has(step)) return "never";
  return before === step || reachable(graph, [entry], before).has(step) ? "sometimes" : "always";
}

function declaredTargets({ transitions }: Step): string[] {
  return (Object.keys(transitions) as Intent[]).flatMap((intent) => targetsOf(transitions[intent]));
}

function targetsOf(transition: Transition | undefined): string[] {
  if (!transition) return [];
  const targets = "targets" in transition ? Object.values(transition.targets) : [transition.target];
  return targets.filter((target) => target !== null);
}
