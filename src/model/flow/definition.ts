import type { JsonSchema } from "../agent.ts";
import type { Statement } from "../message.ts";
import type { Template } from "../template.ts";
import type { AgentFile } from "./agent-file.ts";
import type { StepsRegistry } from "./steps-registry.ts";

/** A schema with all references resolved, or why that failed. */
export type ResolvedSchema = { schema: JsonSchema } | { problem: Statement };

/** A flow, complete: after a run has begun, nothing of it is read from disk. */
export interface FlowDefinition {
  /** The flow's own directory, `.agent/<name>`. */
  directory: string;
  agent: AgentFile;
  registry: StepsRegistry;
  /** Where the flow begins, by `entryStep` or by the completion type's mapping. */
  entryStep: string;
  /** Whether any step has a gate: then only a closing signal leads to completion. */
  isGated: boolean;
  systemPrompt: Template;
  /** By step id; frontmatter stripped. Steps with a `runner` have none. */
  prompts: Readonly<Record<string, Template>>;
  /** By step id, for the steps that name one. */
  schemas: Readonly<Record<string, ResolvedSchema>>;
  /** Retry prompts by failure pattern name, and `""` for f_failed.md of each completion step: `<closure step id>/<pattern or empty>`. */
  retryPrompts: Readonly<Record<string, Template>>;
}
