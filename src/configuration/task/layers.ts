import { posix } from "node:path";
import { apiModelOf } from "../../model/api-model.ts";
import { Configuration, type McpServers, NO_MODEL, OWN_MODEL, type TaskFile } from "../../model/configuration.ts";
import { isCheck } from "../../model/criterion.ts";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import type { AgentFile } from "../../model/flow/agent-file.ts";
import { DEFAULTS } from "../../model/limits.ts";
import { listed, message } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { TextFile } from "../../model/text-file.ts";
import { answeringWorker } from "../../model/workers.ts";
import { type AgentSettings, type SettingsSchemas, settingsSchemas } from "./agent-settings.ts";
import { allCriteria } from "./all-criteria.ts";
import { deadlineAfter } from "./deadline.ts";
import { defaultLayer, SILENCE_SECONDS } from "./defaults.ts";
import { type Flags, flagLayer } from "./flags.ts";
import { type Layer, layerOf, nested, overlay, type Setting } from "./layer.ts";
import { modelProblem, withoutAnthropic } from "./model-names.ts";
import { DEFAULT_MODEL, isModelKey, judgeSettings, resolveModels } from "./models.ts";
import { ONCE, readProjectFile, readSetting, readTaskFile, type SettingsFile } from "./settings-file.ts";
import { withWorkers } from "./workers.ts";

/** Every place a value can come from, the highest first. */
export interface Layers {
  flags?: Flags | undefined;
  taskFile?: TextFile | undefined;
  /** The settings of a flow's definition, in the place of a task file. Such a run needs no criteria. */
  definition?: Layer | undefined;
  /** A flow that asks no model: programs take all its steps, and no judge is needed. */
  is_without_model?: boolean | undefined;
  projectFile?: TextFile | undefined;
  environment?: Environment | undefined;
  agents: AgentSettings;
}

export interface Resolved {
  configuration: Configuration;
  /** By dotted path: `task.yaml:12`, `flag --model`, `ENDLESS8_MAX_ITERATIONS`, `default`. */
  sources: Record<string, string>;
  /** What the user should know about how the layers were joined. */
  notices: Notice[];
}

/** One complete configuration. Throws E8Error, with all problems of the files at once. */
export function resolveConfiguration(layers: Layers, project: string): Resolved {
  const { agents } = layers;
  const schemas = settingsSchemas(agents);
  const flags = withWorkers(flagLayer(layers.flags ?? {}, schemas), agents);
  const written = [...(layers.definition ? [layers.definition] : []), ...fileLayers(layers, schemas)];
  const files = written.map((layer) => withWorkers(layer, agents));
  const highestFirst = [flags, ...files, environmentLayer(layers.environment ?? {}, schemas)];
  const lowestFirst = highestFirst.toReversed();
  const chosen = overlay(lowestFirst);
  const { criteria, ...joined } = allCriteria(flags, overlay(files.toReversed()), layers.flags?.only ?? false);
  const { task, agent = agents.default_choice, fallbacks = [] } = nested(chosen) as TaskFile & Partial<Configuration>;
  const placeOf = (key: string) => ({ place: chosen.get(key)?.source ?? layers.taskFile?.name });
  if (!task) throw new E8Error("task_empty", placeOf("task"));
  if (criteria.length === 0 && !layers.definition) throw new E8Error("criteria_missing", placeOf("criteria"));
  refuseUnfilled(chosen, layers.taskFile?.name);

  const plain = overlay([defaultLayer({ agents, agent, criteria, project }), chosen].map(withoutSpecialKeys));
  const isProgram = layers.is_without_model || !agents.answersRoles(agent);
  const { usual } = answererOf({ agent, fallbacks }, agents);
  const models = resolveModels(highestFirst, { isProgram, usual, criteria });
  const { servers, sources } = resolveServers(lowestFirst);
  const settled = overlay([plain, models]);
  const configuration = Configuration.parse({ ...nested(settled), criteria, mcp_servers: servers }, ONCE);
  return {
    configuration: {
      ...configuration,
      working_directory: posix.resolve(project, configuration.working_directory),
      until: configuration.until && deadlineAfter(new Date(), configuration.until),
    },
    sources: { ...sourcesOf(settled), ...sources, ...joined.sources },
    notices: joined.notices,
  };
}

/** Who answers in the roles, and its usual model in them; null where that is any agent's default one. */
function answererOf(workers: Pick<Configuration, "agent" | "fallbacks">, agents: AgentSettings) {
  const { agent, model } = answeringWorker(workers, agents.answersRoles) ?? {
    agent: agents.default_choice,
    model: null,
  };
  return { agent, usual: model ?? (agents.choosesModel(agent) ? OWN_MODEL : null) };
}

function refuseUnfilled(chosen: Layer, file = ""): void {
  const problems = [...chosen.values()].flatMap(({ unfilled = [] }) => unfilled);
  if (problems.length > 0) throw new E8Error("configuration_invalid", { file, problems: listed(problems, "\n") });
}

/** The configuration of a resumed task, with the flags of this command line. */
export function withFlags(configuration: Configuration, flags: Flags, agents: AgentSettings): Configuration {
  const changes = new Map(withWorkers(flagLayer(flags, settingsSchemas(agents)), agents));
  const judges = changes.get("models.judge");
  for (const [path, setting] of judges ? judgeSettings(judges) : []) changes.set(path, setting);
  const { agent = configuration.agent, fallbacks = configuration.fallbacks } = nested(
    changes,
  ) as Partial<Configuration>;
  const isTakenOver = agents.answersRoles(configuration.agent) && !agents.answersRoles(agent);
  const fitting = withModelsOf({ agent, fallbacks }, configuration, agents);
  const before = isTakenOver ? withoutRoles(fitting) : fitting;
  const changed = Configuration.parse(nested(overlay([layerOf(before, () => "task.json"), changes])));
  return flags.until === undefined ? changed : { ...changed, until: deadlineAfter(new Date(), flags.until) };
}

/** Another agent does not know the models of the one before: it gets its own, or the default one. Models over an API stay. */
function withModelsOf(
  workers: Pick<Configuration, "agent" | "fallbacks">,
  configuration: Configuration,
  agents: AgentSettings,
): Configuration {
  const [after, before] = [workers, configuration].map((one) => answererOf(one, agents));
  const { models, judges, reviewers } = configuration;
  const isSame = JSON.stringify(after?.agent) === JSON.stringify(before?.agent);
  if (isSame || !(after?.usual || before?.usual)) return configuration;
  const fitting = (model: string) =>
    apiModelOf(model) || model === NO_MODEL ? model : (after?.usual ?? DEFAULTS.model);
  const entries = Object.entries(models).map(([role, model]) => [role, fitting(model)]);
  const each = (names: readonly string[]) => [...new Set(names.map(fitting))];
  const others = { judges: each(judges), reviewers: each(reviewers) };
  return { ...configuration, models: Object.fromEntries(entries), ...others };
}

/** Drops settings that only an agent for all roles needs: another program may work without a model, and may be silent. */
function withoutRoles(configuration: Configuration): Configuration {
  const { models, silence_timeout, reviewers, criteria } = configuration;
  const isOverApi = (model: string) => apiModelOf(model) !== undefined;
  return {
    ...configuration,
    reviewers: criteria.every(isCheck) ? reviewers.filter(isOverApi) : reviewers,
    models: { ...models, summarizer: isOverApi(models.summarizer) ? models.summarizer : NO_MODEL },
    silence_timeout: silence_timeout === SILENCE_SECONDS ? null : silence_timeout,
  };
}

function fileLayers({ taskFile, projectFile }: Layers, schemas: SettingsSchemas): Layer[] {
  const files: SettingsFile[] = [];
  if (taskFile) files.push(readTaskFile(taskFile, schemas));
  if (projectFile) files.push(readProjectFile(projectFile, schemas));
  const broken = files.filter((file) => "problems" in file);
  if (broken.length > 0) {
    throw new E8Error("configuration_invalid", {
      file: message("file_names", { names: broken.map(({ name }) => name) }),
      problems: listed(
        broken.flatMap(({ problems }) => problems),
        "\n",
      ),
    });
  }
  return files.filter((file) => "layer" in file).map(({ layer }) => layer);
}

/** Variables and the keys they set; `like` is the key of task.yaml whose rules apply. */
const VARIABLES = [
  { variable: "ENDLESS8_MAX_ITERATIONS", path: "max_iterations", like: "max_iterations" },
  { variable: "ENDLESS8_PROOF", path: "proof", like: "proof" },
  { variable: "ENDLESS8_SANDBOX", path: "sandbox", like: "sandbox" },
  { variable: "ENDLESS8_DEFAULT_MODEL", path: DEFAULT_MODEL, like: "agent_model" },
] as const;

/** A variable that is empty counts as unset. */
function environmentLayer(environment: Environment, schemas: SettingsSchemas): Layer {
  const layer = new Map<string, Setting>();
  for (const { variable, path, like } of VARIABLES) {
    const text = environment[variable]?.trim();
    if (!text) continue;
    const read = readSetting(like, text, schemas);
    if ("problem" in read) throw new E8Error("environment_invalid", { variable, problem: read.problem });
    layer.set(path, { value: read.value, source: variable });
  }
  return layer;
}

/** Model keys and servers follow rules of their own. */
function withoutSpecialKeys(layer: Layer): Layer {
  return new Map([...layer].filter(([path]) => path !== "mcp_servers" && !isModelKey(path)));
}

function sourcesOf(layer: Layer): Record<string, string> {
  return Object.fromEntries([...layer].map(([path, { source }]) => [path, source]));
}

const KEY = "mcp_servers";

/**
 * The servers of all layers, each with the place that named it. A list replaces the servers of lower layers; a mapping adds to them. A bare name, or
 * `true`, stands for a server defined elsewhere: in a lower layer, or in Claude Code's own files.
 */
function resolveServers(lowestFirst: readonly Layer[]) {
  const layers = lowestFirst.map((layer) => layer.get(KEY)).filter((setting) => setting !== undefined);
  let named = new Map<string, Setting>();
  for (const { value, source } of layers) {
    const servers = value as McpServers;
    const entries = Array.isArray(servers) ? servers.map((name) => [name, true] as const) : Object.entries(servers);
    const added = entries.map(([name, server]) => [name, { value: defined(server, named.get(name)), source }] as const);
    named = new Map([...(Array.isArray(servers) ? [] : named), ...added]);
  }
  const entries = [...named];
  return {
    servers: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    sources:
      entries.length > 0
        ? Object.fromEntries(entries.map(([name, { source }]) => [`${KEY}.${name}`, source]))
        : { [KEY]: layers.at(-1)?.source ?? "default" },
  };
}

function defined(server: unknown, lower: Setting | undefined): unknown {
  return server === true ? (lower?.value ?? true) : server;
}

/** The settings of a flow's definition, with the keys of a task file. */
export function flowLayer(agent: AgentFile, { maxIterations }: { maxIterations: number }): Layer {
  const { boundaries, flow, execution, agent: runsOn } = agent.runner;
  const { worktree, finalize } = execution;
  const problem = modelProblem("models.executor", withoutAnthropic(flow.defaultModel));
  if (problem)
    throw new E8Error("agent_configuration", { message: listed(["runner.flow.defaultModel", problem], ": ") });
  const settings = {
    task: `${agent.displayName}: ${agent.description}`,
    criteria: [],
    intake: false,
    max_iterations: maxIterations,
    stall_limit: null, // steps that only read make progress without changing a file
    ...(runsOn !== undefined && { agent: runsOn }),
    ...(flow.defaultModel && { models: { executor: flow.defaultModel } }),
    ...(worktree.enabled && {
      worktree: { ...worktree, ...(finalize.prTarget !== undefined && { base: finalize.prTarget }) },
      finalize: {
        ...{ merge: finalize.autoMerge, push: finalize.push, remote: finalize.remote },
        ...{ create_pr: finalize.createPr, ...(finalize.prTarget !== undefined && { pr_target: finalize.prTarget }) },
      },
    }),
    claude_options: { allowed_tools: [...boundaries.allowedTools], permission_mode: boundaries.permissionMode },
  };
  return layerOf(settings, () => "agent.json");
}
