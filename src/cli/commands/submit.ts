import { existsSync } from "node:fs";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { prioritiesFor, submitAgain, submitTask } from "../../compose/fleet/submit.ts";
import { configure } from "../../compose/tasks.ts";
import type { Check } from "../../model/criterion.ts";
import { oneOf } from "../../model/flag-value.ts";
import { noticeText } from "../../texts/sentences.ts";
import type { CliContext } from "../output.ts";
import { type CommonRunFlags, unfitFlag } from "../run-flags.ts";
import { labelsIn } from "./worker.ts";

export interface SubmitFlags extends CommonRunFlags {
  config?: string;
  criteria?: readonly (string | Check)[];
  label: string[];
  repo?: string;
  priority?: string;
  resume?: string;
}

/** `e8 submit`: the task's words, or the name of its file. Prints the id of the task at once. */
export async function submitCommand(task: string | undefined, flags: SubmitFlags, context: CliContext): Promise<void> {
  const { project, resume, json } = flags;
  const { texts, output } = context;
  const priority = priorityIn(flags.priority);
  const labels = labelsIn(flags.label, context);
  const task_id =
    resume === undefined
      ? await submitted(task, { ...flags, labels }, context)
      : await submitAgain(project, resume, { labels, priority });
  if (json) return output.json({ task_id });
  output.result(task_id);
  output.progress(texts.labeled(texts.nextStep, texts.fleet.follow(task_id)));
}

function priorityIn(priority: string | undefined): string | undefined {
  const choices = priority === undefined ? undefined : prioritiesFor(priority);
  if (choices) throw unfitFlag({ flag: "--priority", command: "submit" }, priority ?? "", oneOf(choices));
  return priority;
}

async function submitted(
  task: string | undefined,
  { labels, priority, config, repo: url, ...flags }: SubmitFlags & { labels: string[] },
  { texts, output }: CliContext,
): Promise<string> {
  const isFile = task !== undefined && config === undefined && /\.ya?ml$/i.test(task) && existsSync(task);
  const words = isFile ? undefined : task === "-" ? await readAll(process.stdin) : task;
  const configured = await configure({
    ...{ project: flags.project, config: isFile ? task : config },
    ...{ flags: { ...flags, task: words }, environment: process.env },
  });
  for (const one of configured.notices) output.progress(texts.labeled(texts.warning, noticeText(one, texts.language)));
  const { base = configured.configuration.worktree.base ?? "main" } = flags;
  return submitTask(configured, { labels, priority, repository: url === undefined ? undefined : { url, base } });
}
