import { loadAgent } from "../configuration/agents/load-agent.ts";
import { findAgent, listAgents, readAgentDirectory } from "../connection/agent-files.ts";
import type { AgentDefinition, DefinitionProblem } from "../model/definition/agent-definition.ts";
import { E8Error } from "../model/errors.ts";

export interface CheckedDefinition {
  directory: string;
  /** Absent when there is an error among the problems. */
  definition?: AgentDefinition;
  problems: DefinitionProblem[];
}

/** Reads an agent by name or path and tells all that is wrong with it. */
export async function checkDefinition(project: string, nameOrPath: string): Promise<CheckedDefinition> {
  const directory = await findAgent(project, nameOrPath);
  return { directory, ...loadAgent(await readAgentDirectory(directory), directory) };
}

export async function loadDefinition(directory: string): Promise<AgentDefinition> {
  return runnableDefinition({ directory, ...loadAgent(await readAgentDirectory(directory), directory) });
}

/** A definition that can run; one that cannot is thrown with its errors. */
export function runnableDefinition({ directory, definition, problems }: CheckedDefinition): AgentDefinition {
  if (definition) return definition;
  const errors = problems.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ file, path, line, message }) => `  ${file}${line ? `:${line}` : ""} ${path}: ${message}`);
  throw new E8Error("definition_invalid", { name: directory, problems: lines.join("\n") });
}

export { drawGraph } from "../configuration/agents/graph.ts";
export { scaffoldAgent } from "../connection/agent-templates.ts";
export { listAgents };
