import { z } from "zod";
import type { AgentChoice } from "../configuration.ts";

/** agent.json, in the spelling of its format. Files of the later generation, which say `verdict` for `completion`, are read into it, too. */

export const ParameterType = z.enum(["string", "number", "boolean", "array"]);

/** A declared parameter. Reading has checked its default and rules against its type. */
export interface Parameter {
  type: z.infer<typeof ParameterType>;
  description: string;
  cli: string;
  required: boolean;
  default?: unknown;
  validation?: ParameterRules | undefined;
}

interface ParameterRules {
  min?: number | undefined;
  max?: number | undefined;
  pattern?: string | undefined;
  enum?: readonly unknown[] | undefined;
}

export const CompletionType = z.enum([
  "stepMachine",
  "externalState",
  "iterationBudget",
  "checkBudget",
  "keywordSignal",
  "structuredSignal",
  "composite",
  "custom",
  "criteria",
]);
export type CompletionType = z.infer<typeof CompletionType>;

/** Stands for "any value" among required fields. A text, so that it survives as JSON. */
export const PRESENT = "\u0000present";

/** A part of a completion's config, or all of it, for people and models to read. */
export function configText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, (_, part) => (part === PRESENT ? "any value" : part));
}

/** The later generation's names of the same types. */
export const laterNames = {
  stepMachine: "detect:graph",
  externalState: "poll:state",
  iterationBudget: "count:iteration",
  checkBudget: "count:check",
  keywordSignal: "detect:keyword",
  structuredSignal: "detect:structured",
  composite: "meta:composite",
  custom: "meta:custom",
  criteria: "criteria",
} as const satisfies Record<CompletionType, string>;

/** The resources whose state can end a flow. Definitions spell some of them in several ways. */
export type ResourceType = "issue" | "pr" | "file" | "command";

/** What ends a flow. `config` depends on the type; a composite's conditions are completions themselves. */
export interface Completion {
  type: CompletionType;
  config: CompletionConfig;
}

export interface CompletionConfig {
  maxIterations?: number;
  maxChecks?: number;
  registryPath?: string;
  entryStep?: string;
  /** An issue where absent. */
  resourceType?: ResourceType;
  targetState?: string;
  /** The parameter that names the resource: its number, path or command. */
  resourceParam?: string;
  /** The resource itself, where the definition fixes it: a file's path, a command line. */
  path?: string;
  command?: string;
  completionKeyword?: string;
  signalType?: string;
  /** Each value must be equal; `PRESENT` accepts any. */
  requiredFields?: Readonly<Record<string, unknown>>;
  operator?: "and" | "or" | "first";
  conditions?: readonly Completion[];
  handlerPath?: string;
  /** Ours: sentences and commands as in a task file. */
  criteria?: readonly unknown[];
}

/** What a flow's `permissionMode` may be: the agent's backend says which values it has. */
export function accessOf(values: readonly string[]): z.ZodType<string> {
  return z.enum(values);
}

export interface AgentFile {
  version: string;
  name: string;
  displayName: string;
  description: string;
  parameters: Readonly<Record<string, Parameter>>;
  runner: {
    flow: {
      systemPromptPath: string;
      defaultModel?: string;
    };
    /** Ours: who takes the steps that name no agent. */
    agent?: AgentChoice;
    completion: Completion;
    boundaries: { allowedTools: readonly string[]; permissionMode: string };
    integrations: {
      github: {
        enabled: boolean;
        labels: { add: readonly string[]; remove: readonly string[] };
        defaultClosureAction: "close" | "label-only" | "label-and-close" | "release";
      };
    };
    /** Whether it works on a branch and in a worktree of its own, and what happens to its proved work there. */
    execution: {
      worktree: { enabled: boolean; root?: string };
      finalize: { autoMerge: boolean; push: boolean; remote: string; createPr: boolean; prTarget?: string };
    };
  };
}
