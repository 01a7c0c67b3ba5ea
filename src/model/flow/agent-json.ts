import { z } from "zod";
import { AgentChoice } from "../configuration.ts";
import { accessOf, CompletionType, laterNames, ParameterType } from "./agent-file.ts";

/** agent.json as files of both generations spell it. Reading makes an `AgentFile` of it; see configuration/flow. */

const text = z.string().min(1);
const semver = z.string().regex(/^\d+\.\d+\.\d+$/);

const ParameterJson = z.strictObject({
  type: ParameterType,
  description: text,
  cli: z.string().regex(/^--[a-z][a-z0-9-]*$/),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  validation: z
    .strictObject({
      min: z.number().optional(),
      max: z.number().optional(),
      pattern: z.string().optional(),
      enum: z.array(z.unknown()).optional(),
    })
    .optional(),
});
export type ParameterJson = z.infer<typeof ParameterJson>;

const FlowJson = z.strictObject({
  systemPromptPath: text,
  prompts: z.strictObject({ registry: text, fallbackDir: z.string().optional() }),
  schemas: z.strictObject({ base: text.optional(), inspection: z.unknown().optional() }).optional(),
  defaultModel: text.optional(),
  askUserAutoResponse: text.optional(),
});

/** `conditions` are completions again, read one level at a time. Published files have `type` and `issueParam`. */
export const CompletionConfigJson = z.strictObject({
  maxIterations: z.int().min(1).optional(),
  maxChecks: z.int().min(1).optional(),
  registryPath: text.optional(),
  entryStep: text.optional(),
  resourceType: text.optional(),
  targetState: text.optional(),
  issueParam: text.optional(),
  path: text.optional(),
  command: text.optional(),
  completionKeyword: text.optional(),
  verdictKeyword: text.optional(),
  signalType: text.optional(),
  requiredFields: z.unknown().optional(),
  operator: z.enum(["and", "or", "first"]).optional(),
  conditions: z.array(z.unknown()).min(1).optional(),
  handlerPath: text.optional(),
  criteria: z.array(z.unknown()).min(1).optional(),
  type: z.unknown().optional(),
});
export type CompletionConfigJson = z.infer<typeof CompletionConfigJson>;

/** Editors are told the types; a wrong one is reported by the reader of completions, which knows both vocabularies. */
const types = [...new Set([...CompletionType.options, ...Object.values(laterNames)])];

export const CompletionJson = z.strictObject({
  type: text.meta({ enum: types }),
  config: CompletionConfigJson.optional(),
});
export type CompletionJson = z.infer<typeof CompletionJson>;

const BoundariesJson = z.strictObject({
  allowedTools: z.array(text),
  sandbox: z
    .strictObject({
      enabled: z.boolean().optional(),
      network: z
        .strictObject({
          mode: z.enum(["trusted", "none", "custom"]).optional(),
          trustedDomains: z.array(text).optional(),
        })
        .optional(),
      filesystem: z.strictObject({ allowedPaths: z.array(text).optional() }).optional(),
    })
    .optional(),
});

/** Authors name labels freely; only `completion` has a meaning here. */
const GithubJson = z.strictObject({
  enabled: z.boolean(),
  labels: z.record(z.string(), z.unknown()).optional(),
  defaultClosureAction: z.enum(["close", "label-only", "label-and-close", "release"]).optional(),
});
export const CompletionLabelsJson = z.strictObject({
  add: z.array(text).optional(),
  remove: z.array(text).optional(),
});

const ExecutionJson = z.strictObject({
  worktree: z.strictObject({ enabled: z.boolean().optional(), root: text.optional() }).optional(),
  finalize: z
    .strictObject({
      autoMerge: z.boolean().default(true),
      push: z.boolean().default(false),
      remote: text.default("origin"),
      createPr: z.boolean().default(false),
      prTarget: text.optional(),
    })
    .optional(),
});

const LoggingJson = z.strictObject({
  directory: text,
  format: z.enum(["jsonl", "text"]),
  maxFiles: z.int().min(1).optional(),
});

const RunnerJson = z.strictObject({
  flow: FlowJson,
  agent: AgentChoice.optional(),
  completion: CompletionJson.optional(),
  verdict: CompletionJson.optional(),
  boundaries: BoundariesJson,
  integrations: z.strictObject({ github: GithubJson.optional() }).optional(),
  actions: z.record(z.string(), z.unknown()).optional(),
  execution: ExecutionJson.optional(),
  logging: LoggingJson.optional(),
});

/** `access`: what `permissionMode` may be. */
export function agentJson(access: readonly string[]) {
  const { allowedTools, sandbox } = BoundariesJson.shape;
  return z.strictObject({
    $schema: z.string().optional(),
    version: semver,
    name: z.string().regex(/^[a-z][a-z0-9-]*$/),
    displayName: text,
    description: text,
    parameters: z.record(z.string(), ParameterJson).optional(),
    runner: RunnerJson.extend({
      boundaries: z.strictObject({ allowedTools, permissionMode: accessOf(access), sandbox }),
    }),
  });
}
export type AgentJson = z.infer<ReturnType<typeof agentJson>>;
export type RunnerJson = AgentJson["runner"];
