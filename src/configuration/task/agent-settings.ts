import { z } from "zod";
import { type AgentChoice, form, model, ProjectFile, section, settings, TaskFile } from "../../model/configuration.ts";
import type { StepCapabilities } from "../../model/flow/step-needs.ts";

/** The settings that depend on the agents' backends. The composition hands them in: this layer knows no agent by name. */
export interface AgentSettings {
  /** What `agent` may be in a file. */
  choice: z.ZodType<AgentChoice>;
  default_choice: AgentChoice;
  /** What `claude_options` may be in a file, and its default. */
  options: z.ZodType<Record<string, unknown>>;
  default_options: Readonly<Record<string, unknown>>;
  /** Whether it also answers in the roles around the executor. A program does not: it may be silent for hours, and needs no model. */
  answersRoles(choice: AgentChoice): boolean;
  /** Whether it chooses its model itself, where the user names none. */
  choosesModel(choice: AgentChoice): boolean;
  /** What it can do that a step of a flow may need. */
  capabilities(choice: AgentChoice): StepCapabilities;
  /** What `permissionMode` of a flow may be. */
  flow_access: readonly string[];
}

export type SettingsSchemas = ReturnType<typeof settingsSchemas>;

/** The schemas of both files, with what belongs to agents filled in. */
export function settingsSchemas({ choice, options }: Pick<AgentSettings, "choice" | "options">) {
  const worker = z.union([choice, z.strictObject({ agent: choice, model: model.optional() })]).meta(form("worker"));
  const own = {
    agent: choice.optional(),
    agents: z.array(worker).min(1).optional(),
    escalate_to: z.union([worker, model]).meta(form("stronger_worker")).nullable().optional(),
    claude_options: options.optional(),
  };
  return {
    task: TaskFile.extend(own),
    project: ProjectFile.extend({ ...own, engine: section({ ...settings, ...own }).optional() }),
  };
}
