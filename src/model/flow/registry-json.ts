import { z } from "zod";
import { AgentChoice } from "../configuration.ts";
import { accessOf } from "./agent-file.ts";

/** steps_registry.json as files of both generations spell it. Reading makes a `StepsRegistry` of it. */

const text = z.string().min(1);

const SchemaRef = z.strictObject({ file: text, schema: text });

/** Editors are told the intents; a wrong one is reported by the gate's check. */
const intent = text.meta({ enum: ["next", "repeat", "jump", "handoff", "escalate", "closing"] });

/** Published files have `targetMode`; it has no effect, because the transition says how the target is found. */
const GateJson = z.strictObject({
  allowedIntents: z.array(intent).min(1),
  intentField: text,
  intentSchemaRef: text,
  targetField: text.optional(),
  handoffFields: z.array(text).optional(),
  fallbackIntent: intent.optional(),
  failFast: z.boolean().optional(),
  targetMode: z.unknown().optional(),
});
export type GateJson = z.infer<typeof GateJson>;

/** Either `target`, or `condition` with `targets`. */
const TransitionJson = z.strictObject({
  target: text.nullable().optional(),
  condition: text.optional(),
  targets: z.record(z.string(), text.nullable()).optional(),
  fallback: z.unknown().optional(),
});
export type TransitionJson = z.infer<typeof TransitionJson>;

const InputJson = z.strictObject({ from: text, required: z.boolean().optional(), default: z.unknown().optional() });

/** Published files have `type`, `condition` and `priority`; only the graph decides which step comes next. */
const StepJson = z.strictObject({
  stepId: text,
  name: text,
  c2: text,
  c3: text,
  fallbackKey: text.optional(),
  type: z.unknown().optional(),
  stepKind: z.enum(["work", "verification", "closure"]).optional(),
  edition: text.optional(),
  adaptation: text.optional(),
  uvVariables: z.array(text).optional(),
  usesStdin: z.boolean().optional(),
  outputSchemaRef: SchemaRef.optional(),
  structuredGate: GateJson.optional(),
  transitions: z
    .strictObject({
      next: TransitionJson.optional(),
      repeat: TransitionJson.optional(),
      jump: TransitionJson.optional(),
      handoff: TransitionJson.optional(),
      escalate: TransitionJson.optional(),
      closing: TransitionJson.optional(),
    })
    .optional(),
  inputs: z.record(z.string(), InputJson).optional(),
  model: text.optional(),
  description: z.string().optional(),
  permissionMode: text.optional(),
  runner: z
    .strictObject({
      command: text.optional(),
      args: z.array(z.string()).optional(),
      timeout: z.int().min(1).optional(),
      agent: AgentChoice.optional(),
    })
    .optional(),
  condition: z.unknown().optional(),
  priority: z.unknown().optional(),
});
export type StepJson = z.infer<typeof StepJson>;

const PatternJson = z.strictObject({
  description: text,
  edition: text,
  adaptation: text.optional(),
  params: z.array(text).optional(),
});

/** Published files have `phase`; here every condition is checked after the closing signal. */
const ValidatorJson = z.strictObject({
  type: z.enum(["command", "file", "custom", "semantic"]),
  command: text.optional(),
  path: text.optional(),
  handlerPath: text.optional(),
  prompt: text.optional(),
  successWhen: z.string().optional(),
  failurePattern: text.optional(),
  extractParams: z.record(z.string(), text).optional(),
  timeout: z.int().min(1).optional(),
  description: z.string().optional(),
  phase: z.unknown().optional(),
});
export type ValidatorJson = z.infer<typeof ValidatorJson>;

const conditions = z.array(z.strictObject({ validator: text, params: z.record(z.string(), z.unknown()).optional() }));

/** The conditions are `completionConditions` in one generation and `validationConditions` in the other. */
const CompletionStepJson = z.strictObject({
  stepId: text,
  name: text,
  c2: text,
  c3: text,
  completionConditions: conditions.optional(),
  validationConditions: conditions.optional(),
  onFailure: z
    .strictObject({ action: z.enum(["retry", "abort", "skip"]), maxAttempts: z.int().min(1).optional() })
    .optional(),
  outputSchemaRef: SchemaRef.optional(),
  description: z.string().optional(),
});
export type CompletionStepJson = z.infer<typeof CompletionStepJson>;

const AnyRegistryJson = z.strictObject({
  $schema: z.string().optional(),
  agentId: text,
  version: text,
  c1: text,
  steps: z.record(z.string(), StepJson),
  entryStep: text.optional(),
  entryStepMapping: z.record(z.string(), text).optional(),
  pathTemplate: text.optional(),
  pathTemplateNoAdaptation: text.optional(),
  userPromptsBase: text.optional(),
  schemasBase: text.optional(),
  description: z.string().optional(),
  completionPatterns: z.record(z.string(), PatternJson).optional(),
  failurePatterns: z.record(z.string(), PatternJson).optional(),
  validators: z.record(z.string(), ValidatorJson).optional(),
  completionSteps: z.record(z.string(), CompletionStepJson).optional(),
  validationSteps: z.record(z.string(), CompletionStepJson).optional(),
});
export type RegistryJson = z.infer<typeof AnyRegistryJson>;

/** `access`: what a step's `permissionMode` may be. */
export function registryJson(access: readonly string[]) {
  const step = StepJson.extend({ permissionMode: accessOf(access).optional() });
  return AnyRegistryJson.extend({ steps: z.record(z.string(), step) });
}
