import { existsSync } from "node:fs";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { type Foretold, foretold } from "../../compose/dry-run.ts";
import {
  type ConfiguredTask,
  configure,
  requireAgents,
  requirePlace,
  resumeTask,
  startTask,
  unfinishedBefore,
} from "../../compose/tasks.ts";
import type { Check } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { runToEnd } from "../follow.ts";
import type { CliContext, Paint } from "../output.ts";
import { table } from "../render/columns.ts";
import { foretoldLines } from "../render/foretold.ts";
import type { CommonRunFlags } from "../run-flags.ts";

export interface RunFlags extends CommonRunFlags {
  config?: string;
  resume?: string | true;
  dryRun?: boolean;
  criteria?: readonly (string | Check)[];
  only?: boolean;
  fresh?: boolean;
  intake?: boolean;
  agentCommand?: string;
  script?: string;
}

export async function runCommand(task: string | undefined, flags: RunFlags, context: CliContext): Promise<void> {
  if (flags.resume !== undefined) return resume(task, flags, context);
  const { project, config } = flags;
  if (task !== undefined && isTaskFile(task)) throw new E8Error("task_is_file", { file: task });
  const given = { ...flags, task: await taskText(task) };
  const configured = await configure({ project, config, flags: given, environment: process.env });
  const { script } = flags;
  if (flags.dryRun && script !== undefined) await (await import("../../compose/scripted.ts")).readStory(script);
  if (flags.dryRun) return showDryRun(configured, flags, context);
  const { fresh, samePlace, acceptChanges } = flags;
  if (script !== undefined) context.output.progress(context.texts.scripted);
  const start = { ...configured, script };
  await runToEnd(
    (options) => startTask(start, { ...options, fresh, samePlace, acceptChanges, taskFile: config }),
    flags,
    context,
  );
}

/** Only a task's limits, models and worker may change on resume. */
const FIXED = ["config", "criteria", "only", "fresh", "script", "dryRun"] as const satisfies (keyof RunFlags)[];

async function resume(task: string | undefined, flags: RunFlags, context: CliContext): Promise<void> {
  const fixed = FIXED.find((name) => (Array.isArray(flags[name]) ? flags[name].length > 0 : flags[name] !== undefined));
  if (task !== undefined || fixed)
    throw new E8Error("flag_invalid", { flag: "--resume", problem: context.texts.resumeTakesNothingNew });
  const id = flags.resume === true ? undefined : flags.resume;
  const request = { project: flags.project, id, flags: { ...flags, criteria: undefined } };
  const { samePlace, acceptChanges } = flags;
  await runToEnd((options) => resumeTask(request, { ...options, samePlace, acceptChanges }), flags, context);
}

/** Without `--config`, an agent would be given the file's name as its task. */
function isTaskFile(task: string): boolean {
  return /\.ya?ml$/i.test(task) && existsSync(task);
}

async function taskText(task: string | undefined): Promise<string | undefined> {
  return task === "-" ? await readAll(process.stdin) : task;
}

async function showDryRun(
  resolved: ConfiguredTask,
  { json, fresh }: RunFlags,
  { texts, output }: CliContext,
): Promise<void> {
  const before = fresh ? undefined : await unfinishedBefore(resolved);
  const { abilities, notices } = foretold(resolved, process.env);
  const shown = { ...resolved, notices: [...(before ? [before] : []), ...notices], abilities };
  if (json) output.json(shown);
  else dryRunLines(shown, texts, output.paint).forEach(output.result);
  await requireAgents({ ...resolved, environment: process.env });
  await requirePlace(resolved);
}

/** One long value must not push the sources of the other settings out of sight. */
const PADDING = 40;

/** Every value of the configuration with where it came from, and what to look out for. */
export function dryRunLines(
  { configuration, sources, ...told }: ConfiguredTask & Foretold,
  texts: Texts,
  paint: Paint,
): string[] {
  const rows = leaves(configuration, "").map(([path, value]) => [
    path,
    value,
    texts.dryRun.source(sourceOf(path, sources)),
  ]);
  return [paint("bold", texts.dryRun.title), ...table(rows, PADDING), ...foretoldLines(told, texts, paint)];
}

function leaves(value: unknown, path: string): [string, string][] {
  if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, one]) => leaves(one, path === "" ? key : `${path}.${key}`));
  if (path === "criteria" && Array.isArray(value))
    return value.map((one, index) => [`${path}[${index}]`, JSON.stringify(one)]);
  return [[path, JSON.stringify(value)]];
}

/** The source of the value itself or of the nearest thing around it. */
function sourceOf(path: string, sources: Record<string, string>): string {
  const around = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  return sources[path] ?? (around < 0 ? "default" : sourceOf(path.slice(0, around), sources));
}
