import { loadFlow } from "../configuration/flow/load-flow.ts";
import { toolCallOf } from "../connection/agents/claude/tools.ts";
import { readTextFileIfThere, within } from "../connection/files.ts";
import { findFlow, listFlows, readFlowDirectory } from "../connection/flows/flow-files.ts";
import { toolPolicy } from "../judgment/flow/tool-policy.ts";
import { E8Error } from "../model/errors.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import type { DefinitionProblem } from "../model/flow/problem.ts";
import type { Step } from "../model/flow/steps-registry.ts";
import { agentSettings } from "./agent-settings.ts";

export interface CheckedDefinition {
  directory: string;
  /** Absent when there is an error among the problems. */
  definition?: FlowDefinition;
  problems: DefinitionProblem[];
}

/** Reads a flow by name or path, with all its problems. */
export async function checkDefinition(project: string, nameOrPath: string): Promise<CheckedDefinition> {
  return readDefinition(await findFlow(project, nameOrPath));
}

export async function loadDefinition(directory: string): Promise<FlowDefinition> {
  return runnableDefinition(await readDefinition(directory));
}

/** The flow's own files, and the `config.json` in the directory of all flows, which overrides agent.json. */
async function readDefinition(directory: string): Promise<CheckedDefinition> {
  const config = (await readTextFileIfThere(within(directory, "../config.json")))?.text;
  const files = await readFlowDirectory(directory);
  const options = {
    reservedFlags: RESERVED_FLAGS,
    access: agentSettings.flow_access,
    agents: agentSettings,
    ...(config !== undefined && { config }),
  };
  return { directory, ...loadFlow(files, directory, options) };
}

/** The flags that `e8 agent run` itself declares: a parameter with one of these is set with `--param`. A test compares them with the declaration. */
export const RESERVED_FLAGS: readonly string[] = [
  "--project",
  "--lang",
  "--script",
  "--param",
  "--dry-run",
  "--max-iterations",
  "--verbose",
  "--quiet",
  "--plain",
  "--agent",
  "--model",
  "--judge-model",
  "--fallback-after",
  "--escalate-to",
  "--max-cost",
  "--max-time",
  "--max-tokens",
  "--until",
  "--check-timeout",
  "--allow-tool",
  "--proof",
  "--protect",
  "--may-change",
  "--no-review",
  "--reviewer",
  "--pass-credentials",
  "--setup",
  "--setup-timeout",
  "--keep",
  "--allow-host",
  "--raw-log",
  "--same-place",
  "--worktree",
  "--base",
  "--merge",
  "--no-merge",
  "--push",
  "--create-pr",
  "--draft",
  "--accept-changes",
  "--sandbox",
  "--on-end",
  "--json",
  "--json-events",
  "--help",
];

/** Throws the errors of a definition that cannot run. */
export function runnableDefinition({ directory, definition, problems }: CheckedDefinition): FlowDefinition {
  if (definition) return definition;
  const errors = problems.filter(({ severity }) => severity === "error");
  throw new E8Error("definition_invalid", { name: directory.split("/").at(-1) ?? directory, problems: errors });
}

/** The tools that a step may use: the flow's tools without those that are forbidden for its kind of step. */
export function toolsOf({ agent }: FlowDefinition, { stepKind }: Step): string[] {
  const forbids = toolPolicy(stepKind);
  return agent.runner.boundaries.allowedTools.filter((tool) => forbids(toolCallOf(tool, {})) === undefined);
}

export { drawGraph } from "../configuration/flow/graph.ts";
export { scaffoldFlow } from "../connection/flows/flow-templates.ts";
export { listFlows };
