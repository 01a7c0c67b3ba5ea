import { agentSettings } from "../../../src/compose/agent-settings.ts";
import type { Flags } from "../../../src/configuration/task/flags.ts";
import { type Resolved, resolveConfiguration, withFlags } from "../../../src/configuration/task/layers.ts";
import type { Configuration } from "../../../src/model/configuration.ts";
import type { Environment } from "../../../src/model/environment.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { inEnglish } from "../../support/saying.ts";

export const PROJECT = "/home/someone/my プロジェクト";

export interface Written {
  flags?: Flags;
  task?: string;
  project?: string;
  environment?: Environment;
}

/** Resolves layers written as texts. */
export function resolved({ flags, task, project, environment }: Written): Resolved {
  return resolveConfiguration(
    {
      flags,
      taskFile: task === undefined ? undefined : { name: "task.yaml", text: task },
      projectFile: project === undefined ? undefined : { name: "endless8.yaml", text: project },
      environment,
      agents: agentSettings,
    },
    PROJECT,
  );
}

/** A configuration taken up again. */
export function changed(configuration: Configuration, flags: Flags): Configuration {
  return withFlags(configuration, flags, agentSettings);
}

/** The least that a task needs, for tests that are about something else. */
export const MINIMAL = "task: t\ncriteria: c\n";

export function thrown(action: () => unknown): E8Error {
  try {
    action();
  } catch (error) {
    if (error instanceof E8Error) return inEnglish(error);
    throw error;
  }
  throw new Error("nothing was thrown");
}
