import type { Flags } from "../configuration/task/flags.ts";
import { resolveConfiguration } from "../configuration/task/layers.ts";
import { pipeNotices } from "../configuration/task/pipes.ts";
import { needsOf } from "../connection/agents/registry.ts";
import { checkMcp } from "../connection/doctor/agents.ts";
import { checkGit, checkNode, checkShell } from "../connection/doctor/programs.ts";
import { checkDuckDb, checkRecords } from "../connection/doctor/records.ts";
import { checkSandbox } from "../connection/doctor/sandbox.ts";
import { requireProject } from "../connection/project.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { type Finding, finding } from "../model/findings.ts";
import { agentSettings } from "./agent-settings.ts";
import { requirePlace, rolesAsked } from "./requirements.ts";
import { configure } from "./tasks.ts";

export interface Examination {
  /** Absolute. */
  project: string;
  /** A task file to check as well. */
  config?: string | undefined;
  environment: Environment;
}

/** Checks everything a run needs on this machine, without starting one. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { project, environment } = examination;
  await requireProject(project);
  const { configuration, findings } = await settingsOf(examination);
  const { working_directory, mcp_servers } = configuration;
  const needs = needsOf(rolesAsked(configuration), { configuration, project, environment });
  const parts = await Promise.all([
    checkNode(process.versions.node),
    checkGit(environment),
    checkShell(environment),
    checkSandbox(environment),
    ...needs.map(([backend, need]) => backend.examine?.(need) ?? []),
    checkMcp({ project, environment, working_directory, mcp_servers }),
    checkRecords(project),
    checkDuckDb(),
  ]);
  return [...parts.flat(), ...findings];
}

interface ExaminedSettings {
  configuration: Configuration;
  findings: Finding[];
}

/** The settings of runs in this project. Broken ones are a finding; then the defaults are used. */
async function settingsOf({ project, config, environment }: Examination): Promise<ExaminedSettings> {
  try {
    const flags = config === undefined ? STAND_IN : {};
    const configured = await configure({ project, config, flags, environment });
    await requirePlace(configured);
    const { configuration } = configured;
    return { configuration, findings: [settingsFinding(config), ...pipeFindings(configuration)] };
  } catch (error) {
    if (!(error instanceof E8Error)) throw error;
    const { configuration } = resolveConfiguration({ flags: STAND_IN, agents: agentSettings }, project);
    return { configuration, findings: [finding(["task", "problem"], "settings_broken", { error })] };
  }
}

/** Settings are complete only with a task. The criterion of this one needs no model. */
const STAND_IN = { task: "doctor", criteria: [{ type: "command", command: "true" }] } satisfies Flags;

function settingsFinding(config: string | undefined): Finding {
  return config === undefined
    ? finding(["task", "ok"], "settings_ok", {})
    : finding(["task", "ok"], "task_ok", { file: config });
}

function pipeFindings({ criteria }: Configuration): Finding[] {
  return pipeNotices(criteria).flatMap((one) =>
    one.code === "pipe_hides_exit" ? [finding(["task", "warning"], "pipe_hides_exit", one.params)] : [],
  );
}
