import { existsSync } from "node:fs";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import {
  type ConfiguredTask,
  configure,
  requireAgents,
  requirePlace,
  resumeTask,
  startTask,
} from "../../compose/tasks.ts";
import type { Check } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import type { FollowOptions } from "../follow.ts";
import { dryRunLines } from "../render/dry-run.ts";
import type { CommonRunFlags } from "../run-flags.ts";
import { runToEnd } from "../run-to-end.ts";
import type { Surroundings } from "../surroundings.ts";

export interface RunFlags extends CommonRunFlags {
  config?: string;
  resume?: string | true;
  dryRun?: boolean;
  criteria?: (string | Check)[];
  intake?: boolean;
  agentCommand?: string;
}

export async function runCommand(task: string | undefined, flags: RunFlags, surroundings: Surroundings): Promise<void> {
  if (flags.resume !== undefined) return resume(task, flags, surroundings);
  const { project, config } = flags;
  if (task !== undefined && isTaskFile(task)) throw new E8Error("task_is_file", { file: task });
  const given = { ...flags, task: await taskText(task) };
  const configured = await configure({ project, config, flags: given, environment: process.env });
  if (flags.dryRun) return showDryRun(configured, flags, surroundings);
  await runToEnd((options) => startTask(configured, options), flags, surroundings);
}

/** What a run is started with stays as it is; only its limits, models and worker may change on the way. */
const FIXED = ["config", "criteria", "dryRun"] as const satisfies (keyof RunFlags)[];

async function resume(task: string | undefined, flags: RunFlags, surroundings: Surroundings): Promise<void> {
  const fixed = FIXED.find((name) => (Array.isArray(flags[name]) ? flags[name].length > 0 : flags[name] !== undefined));
  if (task !== undefined || fixed)
    throw new E8Error("flag_invalid", { flag: "--resume", problem: surroundings.texts.resumeTakesNothingNew });
  const id = flags.resume === true ? undefined : flags.resume;
  const request = { project: flags.project, id, flags: { ...flags, criteria: undefined } };
  await runToEnd((options) => resumeTask(request, options), flags, surroundings);
}

/** Who forgets `--config` would have an agent make something of the file's name. */
function isTaskFile(task: string): boolean {
  return /\.ya?ml$/i.test(task) && existsSync(task);
}

async function taskText(task: string | undefined): Promise<string | undefined> {
  return task === "-" ? await readAll(process.stdin) : task;
}

async function showDryRun(
  configured: ConfiguredTask,
  { json }: FollowOptions,
  { texts, output }: Surroundings,
): Promise<void> {
  const lines = json ? [JSON.stringify(configured, null, 2)] : dryRunLines(configured, texts, output.paint);
  for (const line of lines) output.result(line);
  await requireAgents({ ...configured, environment: process.env });
  await requirePlace(configured);
}
