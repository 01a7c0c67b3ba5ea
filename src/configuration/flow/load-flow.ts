import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { DefinitionProblem } from "../../model/flow/problem.ts";
import { type FlowOptions, readAgentFile } from "./read/agent.ts";
import { openJson } from "./read/json-file.ts";
import { readRegistry } from "./read/registry.ts";
import { readWorkflow } from "./read/workflow.ts";
import { createReport, type Report } from "./report.ts";

export interface LoadedFlow {
  /** Absent when there is an error among the problems. */
  definition?: FlowDefinition;
  /** All of them, in the order of the files: agent.json, the registry, schemas, prompts. */
  problems: DefinitionProblem[];
}

/**
 * Reads a flow from the texts of its directory (keys are relative paths with forward slashes) and reports all problems
 * at once. No I/O. `Overrides` describes what overrides agent.json.
 */
export function loadFlow(files: ReadonlyMap<string, string>, directory: string, options: FlowOptions): LoadedFlow {
  const report = createReport();
  const read = readAgentFile(files, directory, options, report);
  const rest = readRegistry(files, read, { report, ...options });
  const workflow = files.get("workflow.json");
  if (workflow !== undefined) readWorkflow(workflow, report, options.agents);
  checkSchemaFiles(files, report);
  const problems = report.problems();
  if (!read || !rest || report.hasErrors()) return { problems };
  return { definition: { directory, agent: read.agent, ...rest }, problems };
}

/** Reads schema files that nothing refers to, so that a broken one is found before it is needed. */
function checkSchemaFiles(files: ReadonlyMap<string, string>, report: Report): void {
  for (const name of files.keys()) if (/^schemas\/.*\.json$/.test(name)) openJson(files, name, report);
}
