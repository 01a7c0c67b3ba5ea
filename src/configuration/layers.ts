import { apiModelOf } from "../model/api-model.ts";
import { Configuration, NO_MODEL, type TaskFile } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { joined, worded } from "../model/statement.ts";
import type { TextFile } from "../model/text-file.ts";
import { CLAUDE_SILENCE, defaultLayer, isProgram } from "./defaults.ts";
import { directoryFrom } from "./directories.ts";
import { environmentLayer } from "./environment.ts";
import { type Flags, flagLayer } from "./flags.ts";
import { type Layer, layerOf, nested, overlay } from "./layer.ts";
import { resolveServers } from "./mcp-servers.ts";
import { isModelKey, resolveModels } from "./models.ts";
import { readProjectFile, readTaskFile, type SettingsFile } from "./settings-file.ts";

/** Every place a value can come from, the highest first. */
export interface Layers {
  flags?: Flags | undefined;
  taskFile?: TextFile | undefined;
  /** What an agent's own definition sets; it stands where a task file would. Such a run needs no criteria of its own. */
  definition?: Layer | undefined;
  projectFile?: TextFile | undefined;
  environment?: Environment | undefined;
}

export interface Resolved {
  configuration: Configuration;
  /** By dotted path: `task.yaml:12`, `flag --model`, `ENDLESS8_MAX_ITERATIONS`, `default`. */
  sources: Record<string, string>;
}

/** One complete configuration. Throws E8Error for whatever is wrong, with all faults of the files at once. */
export function resolveConfiguration(layers: Layers, project: string): Resolved {
  const highestFirst = [
    flagLayer(layers.flags ?? {}),
    ...(layers.definition ? [layers.definition] : []),
    ...fileLayers(layers),
    environmentLayer(layers.environment ?? {}),
  ];
  const lowestFirst = highestFirst.toReversed();
  const chosen = overlay(lowestFirst);
  const { task, criteria = [], agent = "claude" } = nested(chosen) as TaskFile;
  if (!task) throw new E8Error("task_empty", {});
  if (criteria.length === 0 && !layers.definition) throw new E8Error("criteria_missing", {});

  const plain = overlay([defaultLayer({ agent, criteria, project }), chosen].map(withoutSpecialKeys));
  const models = resolveModels(highestFirst, isProgram(agent));
  const { servers, sources } = resolveServers(lowestFirst);
  const settled = overlay([plain, models]);
  const configuration = Configuration.parse({ ...nested(settled), mcp_servers: servers });
  return {
    configuration: { ...configuration, working_directory: directoryFrom(project, configuration.working_directory) },
    sources: { ...sourcesOf(settled), ...sources },
  };
}

/** A configuration taken up again, with what the command line now says otherwise. */
export function withFlags(configuration: Configuration, flags: Flags): Configuration {
  const changes = flagLayer(flags);
  const { agent = configuration.agent } = nested(changes) as TaskFile;
  const before = isProgram(agent) && !isProgram(configuration.agent) ? withoutClaude(configuration) : configuration;
  return Configuration.parse(nested(overlay([layerOf(before, () => "task.json"), changes])));
}

/** What was set for Claude Code's sake: who takes another program instead may have none, and that program may be silent. */
function withoutClaude(configuration: Configuration): Configuration {
  const { models, silence_timeout } = configuration;
  return {
    ...configuration,
    models: { ...models, summarizer: apiModelOf(models.summarizer) ? models.summarizer : NO_MODEL },
    silence_timeout: silence_timeout === CLAUDE_SILENCE ? null : silence_timeout,
  };
}

function fileLayers({ taskFile, projectFile }: Layers): Layer[] {
  const files: SettingsFile[] = [];
  if (taskFile) files.push(readTaskFile(taskFile));
  if (projectFile) files.push(readProjectFile(projectFile));
  const broken = files.filter((file) => "problems" in file);
  if (broken.length > 0) {
    throw new E8Error("configuration_invalid", {
      file: worded(
        () => broken.map(({ name }) => name).join(" and "),
        () => broken.map(({ name }) => name).join(" と "),
      ),
      problems: joined(
        broken.flatMap(({ problems }) => problems),
        "\n",
      ),
    });
  }
  return files.filter((file) => "layer" in file).map(({ layer }) => layer);
}

/** Model keys and servers follow rules of their own. */
function withoutSpecialKeys(layer: Layer): Layer {
  return new Map([...layer].filter(([path]) => path !== "mcp_servers" && !isModelKey(path)));
}

function sourcesOf(layer: Layer): Record<string, string> {
  return Object.fromEntries([...layer].map(([path, { source }]) => [path, source]));
}
