import { z } from "zod";
import { AgentChoice } from "../configuration.ts";

/** workflow.json of the orchestrator: which agent works on an issue in which phase, and where its result leads. */

const text = z.string().min(1);

const PhaseJson = z.strictObject({
  type: z.enum(["actionable", "terminal", "blocking"]),
  priority: z.number().optional(),
  agent: text.nullish(),
  runner: z.strictObject({ agent: AgentChoice }).optional(),
});

/** How later files say `closeOnComplete` and `closeCondition`. */
const CloseBindingJson = z.strictObject({
  primary: z.strictObject({
    kind: z.enum(["direct", "boundary", "outboxPre", "custom", "none"]),
    channel: z.unknown().optional(),
  }),
  cascade: z.boolean().optional(),
  condition: text.optional(),
});

const WorkflowAgentJson = z.strictObject({
  role: z.enum(["transformer", "validator"]),
  directory: text.optional(),
  outputPhase: text.optional(),
  fallbackPhases: z.record(z.string(), text).optional(),
  outputPhases: z.record(z.string(), text).optional(),
  fallbackPhase: text.optional(),
  closeOnComplete: z.boolean().optional(),
  closeCondition: text.optional(),
  closeBinding: CloseBindingJson.optional(),
});

const HandoffJson = z.strictObject({
  id: text,
  when: z.strictObject({ fromAgent: text, outcome: text }),
  emit: z.strictObject({ type: text.optional(), schemaRef: text.optional(), path: text }),
  payloadFrom: z.record(z.string(), z.string()),
  persistPayloadTo: text.optional(),
});

export const WorkflowJson = z.strictObject({
  $schema: z.string().optional(),
  version: text,
  phases: z.record(z.string(), PhaseJson),
  labelMapping: z.record(z.string(), text),
  agents: z.record(z.string(), WorkflowAgentJson),
  labelPrefix: z.string().optional(),
  labels: z
    .record(
      z.string(),
      z.strictObject({
        color: z
          .string()
          .regex(/^[0-9a-f]{6}$/i)
          .optional(),
        description: z.string().optional(),
        role: z.string().optional(),
      }),
    )
    .optional(),
  rules: z
    .strictObject({
      maxCycles: z.int().min(1).optional(),
      cycleDelayMs: z.int().min(0).optional(),
      maxConsecutivePhases: z.int().min(0).optional(),
      rateLimitThreshold: z.number().optional(),
      rateLimitPollIntervalMs: z.number().optional(),
    })
    .optional(),
  handoff: z.strictObject({ commentTemplates: z.record(z.string(), z.string()).optional() }).optional(),
  prioritizer: z.strictObject({ agent: text, labels: z.array(text), defaultLabel: text.optional() }).optional(),
  subjectStore: z.strictObject({ path: text }).optional(),
  issueStore: z.strictObject({ path: text }).optional(),
  issueSource: z.looseObject({ kind: text }).optional(),
  handoffs: z.array(HandoffJson).optional(),
  payloadSchema: z.unknown().optional(),
  projectBinding: z.record(z.string(), z.unknown()).optional(),
});
export type WorkflowJson = z.infer<typeof WorkflowJson>;
