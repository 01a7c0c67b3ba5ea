import type { AgentFile } from "../../../model/flow/agent-file.ts";
import { agentJson, CompletionLabelsJson, type RunnerJson } from "../../../model/flow/agent-json.ts";
import type { NoEffect } from "../../../model/flow/problem.ts";
import { isRecord } from "../../../model/json.ts";
import { notOfKind } from "../../schema-guide.ts";
import { type FlowAgents, knownAgent } from "../check/step-agents.ts";
import type { Place, Report } from "../report.ts";
import { layerAgentFile, type Overrides } from "./agent-layers.ts";
import { readCompletion } from "./completion.ts";
import { openJson } from "./json-file.ts";
import { readParameterDeclarations } from "./parameters.ts";
import { oncePerAccess, readShape } from "./shape.ts";

/** agent.json, and its values that only the reading of the other files needs. */
export interface ReadAgentFile {
  agent: AgentFile;
  /** 1 says `completion`, 2 says `verdict`. */
  generation: 1 | 2;
  registry: string;
  fallbackDir: string;
  schemasBase: string | undefined;
  place(path: readonly PropertyKey[]): Place;
}

export interface FlowOptions extends Overrides {
  /** What `permissionMode` may be. */
  access: readonly string[];
  /** What `runner.agent` may be. */
  agents: FlowAgents;
  /** Flags that `e8 agent run` itself declares; a parameter with one of them gets a warning. */
  reservedFlags?: readonly string[];
}

export function readAgentFile(
  files: ReadonlyMap<string, string>,
  directory: string,
  options: FlowOptions,
  report: Report,
): ReadAgentFile | undefined {
  const file = openJson(files, "agent.json", report);
  if (!file || !isRecord(file.data)) return undefined;
  if (file.data.runner === undefined && file.data.behavior !== undefined) {
    report.add("AGENT_LEGACY_FORMAT", { file: file.name, path: ["behavior"] }, {});
    return undefined;
  }
  const { data, place } = layerAgentFile(file, files, options, report);
  const json = readShape(data, { schema: agentSchema(options.access), report, place });
  if (!json) return undefined;
  checkDirectory(json.name, directory, report);
  withoutEffect(json.runner, report, place);
  const parameters = readParameterDeclarations(json.parameters ?? {}, options.reservedFlags ?? [], report);
  const { runner, ...rest } = json;
  const { flow } = runner;
  const agent = knownAgent(runner.agent, options.agents, report, place(["runner", "agent"]));
  const key = runner.verdict && !runner.completion ? "verdict" : "completion";
  const context = { report, place, files, parameters: Object.keys(parameters) };
  return {
    agent: {
      version: rest.version,
      name: rest.name,
      displayName: rest.displayName,
      description: rest.description,
      parameters,
      runner: {
        ...settingsOf(runner, report, place),
        ...(agent !== undefined && { agent }),
        completion: readCompletion(runner, key, context),
      },
    },
    generation: key === "verdict" ? 2 : 1,
    registry: runner[key]?.config?.registryPath ?? flow.prompts.registry,
    fallbackDir: flow.prompts.fallbackDir ?? "prompts/",
    schemasBase: flow.schemas?.base,
    place,
  };
}

type RunnerSettings = Omit<AgentFile["runner"], "completion">;

function settingsOf(runner: RunnerJson, report: Report, place: ReadAgentFile["place"]): RunnerSettings {
  const { flow, boundaries, integrations } = runner;
  const github = integrations?.github;
  return {
    flow: {
      systemPromptPath: flow.systemPromptPath,
      ...(flow.defaultModel !== undefined && { defaultModel: flow.defaultModel }),
    },
    boundaries: { allowedTools: boundaries.allowedTools, permissionMode: boundaries.permissionMode },
    integrations: {
      github: {
        enabled: github?.enabled ?? false,
        labels: completionLabels(github?.labels?.completion, report, place),
        defaultClosureAction: github?.defaultClosureAction ?? "close",
      },
    },
    execution: executionOf(runner.execution),
  };
}

function executionOf(execution: RunnerJson["execution"]): RunnerSettings["execution"] {
  const { worktree, finalize } = execution ?? {};
  const { prTarget, ...rest } = finalize ?? { autoMerge: true, push: false, remote: "origin", createPr: false };
  return {
    worktree: { enabled: worktree?.enabled ?? false, ...(worktree?.root !== undefined && { root: worktree.root }) },
    finalize: { ...rest, ...(prTarget !== undefined && { prTarget }) },
  };
}

function completionLabels(
  labels: unknown,
  report: Report,
  place: ReadAgentFile["place"],
): { add: readonly string[]; remove: readonly string[] } {
  if (labels === undefined) return { add: [], remove: [] };
  const base = ["runner", "integrations", "github", "labels", "completion"];
  const read = readShape(isRecord(labels) ? labels : {}, {
    schema: CompletionLabelsJson,
    report,
    place: (path) => place([...base, ...path]),
  });
  if (!isRecord(labels)) {
    const problem = notOfKind(JSON.stringify(labels), "object");
    report.add("AGENT_VALUE_INVALID", place(base), { problem, allowed: '{"add": […], "remove": […]}' });
  }
  return { add: read?.add ?? [], remove: read?.remove ?? [] };
}

function checkDirectory(name: string, directory: string, report: Report): void {
  const last = directory
    .replace(/[/\\]+$/, "")
    .split(/[/\\]/)
    .at(-1);
  if (!last || last === name || last === ".") return;
  report.add("AGENT_DIRECTORY_NAME", { file: "agent.json", path: ["name"] }, { name, directory: last });
}

/** Warns of sections that are understood but have no effect here. */
function withoutEffect(runner: RunnerJson, report: Report, place: ReadAgentFile["place"]): void {
  const note = (path: readonly string[], reason: NoEffect) => {
    const key = path.at(-1) ?? "";
    report.add("AGENT_KEY_WITHOUT_EFFECT", place(["runner", ...path]), { key, reason });
  };
  if (runner.execution?.finalize && !runner.execution.worktree?.enabled) note(["execution", "finalize"], "in_checkout");
  if (runner.boundaries.sandbox?.enabled) note(["boundaries", "sandbox"], "sandboxed");
  if (runner.actions) note(["actions"], "acted");
  if (runner.logging) note(["logging"], "recorded");
  if (runner.flow.askUserAutoResponse !== undefined) note(["flow", "askUserAutoResponse"], "unattended");
  if (runner.flow.schemas?.inspection !== undefined) note(["flow", "schemas", "inspection"], "inspected");
}

const agentSchema = oncePerAccess(agentJson);
