import { isSection, type Step } from "./steps-registry.ts";

/** What an agent must be able to do to take a step; each is a capability of its backend. */
export const STEP_CAPABILITIES = ["structured_answers", "withholds_tools"] as const;
export type StepCapability = (typeof STEP_CAPABILITIES)[number];
export type StepCapabilities = Readonly<Record<StepCapability, boolean>>;

/**
 * A gate reads a structured answer, and an output schema asks for one. A verification step must not write files, which only an agent whose
 * tool calls can be refused obeys. What no step may do, such as closing an issue, the sandbox and the withheld credentials prevent, too.
 */
export function neededFor({ stepId, stepKind, structuredGate, outputSchemaRef, runner }: Step): StepCapability[] {
  if (runner || (isSection(stepId) && !structuredGate)) return [];
  return [
    ...(structuredGate || outputSchemaRef ? (["structured_answers"] as const) : []),
    ...(stepKind === "verification" ? (["withholds_tools"] as const) : []),
  ];
}

export function lackingFor(step: Step, capabilities: StepCapabilities): StepCapability[] {
  return neededFor(step).filter((capability) => !capabilities[capability]);
}
