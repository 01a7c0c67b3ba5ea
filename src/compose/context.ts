import { createAgents } from "../connection/agents/create-agents.ts";
import type { RawLog } from "../connection/agents/raw-log.ts";
import { systemClock } from "../connection/clock.ts";
import { createCommandRunner } from "../connection/commands/command-runner.ts";
import type { Ask } from "../connection/ports/ask.ts";
import type { Ports } from "../connection/ports/run.ts";
import { readPrompts } from "../connection/prompt-files.ts";
import type { Stores } from "../connection/stores/open-stores.ts";
import { rawLogFiles } from "../connection/stores/raw-log-files.ts";
import type { TaskDirectory } from "../connection/stores/task-directory.ts";
import { rawLogDirectory } from "../connection/stores/task-paths.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import { Meter } from "../execution/meter.ts";
import { PROMPT_NAMES, type RunContext } from "../execution/run-context.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import type { Notice } from "../model/notices.ts";
import { languageOf, phrases } from "../model/phrases.ts";
import { teller } from "../texts/tell.ts";
import type { Past } from "./past.ts";

/** A task whose lock we hold. */
export interface OpenedTask {
  stores: Stores;
  directory: TaskDirectory;
  past: Past;
}

interface RunSettings {
  environment: Environment;
  ask: Ask | undefined;
  signal: AbortSignal;
}

/** Gives a run every adapter that it needs. */
export async function contextOf(
  { stores, directory, past }: OpenedTask,
  { environment, ask, signal }: RunSettings,
): Promise<RunContext> {
  const { history, knowledge, ledger, files, notices } = stores;
  const { configuration } = files.task;
  const { working_directory } = configuration;
  const ports: Ports = {
    history,
    knowledge,
    ledger,
    files,
    agents: createAgents({
      configuration,
      project: directory.project,
      environment,
      task_token: directory.path,
      tell: teller("en"),
      raw_log: rawLogOf(configuration, directory, (one) => void notices.push(one)),
    }),
    commands: createCommandRunner({ project: working_directory, environment, task_token: directory.path }),
    workspace: createWorkspace(working_directory, { project: directory.project }),
    clock: systemClock,
    ...(ask && { ask }),
  };
  return {
    ports,
    configuration,
    prompts: await readPrompts(PROMPT_NAMES),
    phrases: phrases[languageOf(configuration.task)],
    meter: new Meter(ports, past.spent),
    signal,
  };
}

function rawLogOf(
  { logging, claude_options }: Configuration,
  directory: TaskDirectory,
  report: (notice: Notice) => void,
): RawLog | undefined {
  const { raw_log, raw_log_dir } = logging;
  if (!raw_log) return undefined;
  return rawLogFiles({
    directory: rawLogDirectory(directory, raw_log_dir),
    task: directory.path,
    every_message: claude_options.verbose,
    report,
  });
}
