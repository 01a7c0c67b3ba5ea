import { z } from "zod";
import type { AgentChoice } from "../configuration.ts";

/** steps_registry.json after reading: in the spelling of the format, with defaults filled in. */

export const StepKind = z.enum(["work", "verification", "closure"]);
export type StepKind = z.infer<typeof StepKind>;

export type Intent = "next" | "repeat" | "jump" | "handoff" | "escalate" | "closing";

export const intentsOf = {
  work: ["next", "repeat", "jump", "handoff"],
  verification: ["next", "repeat", "jump", "escalate"],
  closure: ["closing", "repeat"],
} as const satisfies Record<StepKind, readonly Intent[]>;

/** Parts of other prompts, not steps of the flow. */
export function isSection(stepId: string): boolean {
  return stepId.startsWith("section.");
}

/** Whether a gated flow could not go on from a step: a section that has neither a gate nor a `next`. */
export function isDeadEnd(steps: Readonly<Record<string, Step>>, stepId: string): boolean {
  const step = steps[stepId];
  const isStuck = isSection(stepId) && !step?.structuredGate && !step?.transitions.next;
  return isStuck && Object.values(steps).some(({ structuredGate }) => structuredGate);
}

export interface StructuredGate {
  allowedIntents: readonly Intent[];
  /** Dot path into the step's output. */
  intentField: string;
  intentSchemaRef: string;
  targetField?: string;
  /** Dot paths; the last segment is the key under which a value is handed on. */
  handoffFields: readonly string[];
  fallbackIntent?: Intent;
  failFast: boolean;
}

export type Transition =
  | { target: string | null }
  | { condition: string; targets: Readonly<Record<string, string | null>> };

export interface StepInput {
  /** `stepId.key`; step ids contain dots, so the key follows the last one. */
  from: string;
  required: boolean;
  default?: unknown;
}

/** A subprocess instead of a model. */
export interface StepRunner {
  command: string;
  args: readonly string[];
  /** Milliseconds. */
  timeout: number;
}

export interface Step {
  stepId: string;
  name: string;
  stepKind: StepKind;
  c2: string;
  c3: string;
  edition: string;
  adaptation?: string;
  uvVariables: readonly string[];
  usesStdin: boolean;
  outputSchemaRef?: { file: string; schema: string };
  structuredGate?: StructuredGate;
  transitions: Readonly<Partial<Record<Intent, Transition>>>;
  inputs: Readonly<Record<string, StepInput>>;
  model?: string;
  description?: string;
  permissionMode?: string;
  runner?: StepRunner;
  /** Ours: who takes the step, in the place of the flow's own agent. */
  agent?: AgentChoice;
}

export type SuccessWhen =
  | { kind: "empty" }
  | { kind: "exitCode"; code: number }
  | { kind: "contains"; text: string }
  | { kind: "matches"; pattern: string };

export interface Validator {
  type: "command" | "file" | "custom" | "semantic";
  command?: string;
  /** For `file`: a path that must exist. */
  path?: string;
  /** For `custom`: an ES module with a default-exported function. */
  handlerPath?: string;
  /** For `semantic`: a sentence for the judge. */
  prompt?: string;
  successWhen: SuccessWhen;
  failurePattern?: string;
  /** Parameter name → the name of a parser over the output, see judgment/flow/extract-params.ts. */
  extractParams: Readonly<Record<string, string>>;
  /** Milliseconds. */
  timeout?: number;
}

export interface FailurePattern {
  description: string;
  edition: string;
  adaptation?: string;
  params: readonly string[];
}

export interface CompletionStep {
  stepId: string;
  name: string;
  c2: string;
  c3: string;
  completionConditions: readonly { validator: string; params?: Readonly<Record<string, unknown>> }[];
  onFailure: { action: "retry" | "abort" | "skip"; maxAttempts: number };
}

export interface StepsRegistry {
  agentId: string;
  version: string;
  c1: string;
  steps: Readonly<Record<string, Step>>;
  failurePatterns: Readonly<Record<string, FailurePattern>>;
  validators: Readonly<Record<string, Validator>>;
  /** Conditions of completion by closure step id, whatever key the file used. */
  completionSteps: Readonly<Record<string, CompletionStep>>;
}
