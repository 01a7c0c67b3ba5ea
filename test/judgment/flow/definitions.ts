import type { Step, StepKind, StepsRegistry, StructuredGate } from "../../../src/model/flow/steps-registry.ts";

export function gate(change: Partial<StructuredGate> = {}): StructuredGate {
  return {
    allowedIntents: ["next", "repeat"],
    intentField: "next_action.action",
    intentSchemaRef: "#/properties/next_action/properties/action",
    handoffFields: [],
    failFast: true,
    ...change,
  };
}

export function step(stepId: string, stepKind: StepKind, change: Partial<Step> = {}): Step {
  const [c2 = "", c3 = ""] = stepId.split(".");
  return {
    stepId,
    name: stepId,
    stepKind,
    c2,
    c3,
    edition: "default",
    uvVariables: [],
    usesStdin: false,
    transitions: {},
    inputs: {},
    ...change,
  };
}

export function registry(...steps: Step[]): StepsRegistry {
  return {
    agentId: "a",
    version: "1.0.0",
    c1: "steps",
    steps: Object.fromEntries(steps.map((one) => [one.stepId, one])),
    failurePatterns: {},
    validators: {},
    completionSteps: {},
  };
}
