import type { FlowGraph } from "../../model/dashboard.ts";
import type { EventEnvelope } from "../../model/events.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import { isSection } from "../../model/flow/steps-registry.ts";

/** The steps of a flow and where their intents lead. `null`: out of the flow. */
export function flowGraph({ agent, registry, entryStep }: FlowDefinition, events: readonly EventEnvelope[]): FlowGraph {
  const steps = Object.values(registry.steps).filter(({ stepId }) => !isSection(stepId));
  const current = events.findLast(({ event }) => event.type === "step-start")?.event;
  return {
    name: agent.name,
    entry: entryStep,
    steps: steps.map(({ stepId, name, stepKind }) => ({ id: stepId, name, kind: stepKind })),
    edges: steps.flatMap(({ stepId, transitions }) =>
      Object.entries(transitions).flatMap(([intent, transition]) =>
        targetsOf(transition).map((to) => ({ from: stepId, intent, to })),
      ),
    ),
    ...(current?.type === "step-start" && { current: current.step_id }),
  };
}

type Transition =
  FlowDefinition["registry"]["steps"][string]["transitions"][keyof FlowDefinition["registry"]["steps"][string]["transitions"]];

function targetsOf(transition: NonNullable<Transition>): (string | null)[] {
  return "target" in transition ? [transition.target] : [...new Set(Object.values(transition.targets))];
}
