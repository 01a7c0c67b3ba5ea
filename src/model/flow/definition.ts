import type { JsonSchema } from "../agent.ts";
import type { Statement } from "../statement.ts";
import type { Template } from "../template.ts";
import type { AgentFile } from "./agent-file.ts";
import type { StepsRegistry } from "./steps-registry.ts";

/** A schema that was resolved whole, or why it could not be. */
export type ResolvedSchema = { schema: JsonSchema } | { problem: Statement };

/** An agent made of steps, complete: nothing of it is read from disk any more once a run has begun. */
export interface FlowDefinition {
  /** The agent's own directory, `.agent/<name>`. */
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
