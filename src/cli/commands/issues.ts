import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { addIssue, closeIssue, listIssues, showIssue, syncLabels } from "../../compose/issues.ts";
import type { TrackedItem } from "../../model/issue.ts";
import type { CliContext } from "../output.ts";
import { age } from "../render/amounts.ts";
import { table, tableOrBlocks } from "../render/columns.ts";
import { issueLines, stateText } from "../render/issue.ts";
import { chosenFlag, type FlagPlace, unfitFlag } from "../run-flags.ts";

interface ListOptions {
  project: string;
  label: string[];
  state: string;
  limit: string;
  json?: boolean;
}

export async function issuesListCommand(options: ListOptions, { texts, output }: CliContext): Promise<void> {
  const at = (flag: string): FlagPlace => ({ flag, command: "issues list" });
  if (!/^[1-9]\d{0,5}$/.test(options.limit))
    throw unfitFlag(at("--limit"), options.limit, texts.values.between(1, 999_999));
  const filter = {
    state: chosenFlag(at("--state"), options.state, ["open", "closed", "all"] as const),
    labels: options.label,
    limit: Number(options.limit),
  };
  const issues = await listIssues({ project: options.project, command: "e8 issues" }, filter);
  if (options.json) return output.json(issues);
  if (issues.length === 0) return output.progress(texts.issues.none);
  const now = new Date();
  const rows = issues.map((issue) => row(issue, now, texts));
  for (const line of tableOrBlocks(texts.issues.columns, rows, output.paint)) output.result(line);
}

function row(issue: TrackedItem, now: Date, texts: CliContext["texts"]): string[] {
  const { number, labels, created_at, title } = issue;
  return [String(number), stateText(issue, texts), age(created_at, now, texts), labels.join(texts.separator), title];
}

interface AddOptions {
  project: string;
  body: string;
  criteria: string[];
  check: string[];
  label: string[];
  priority?: string;
  blockedBy: string[];
  base?: string;
  json?: boolean;
}

export async function issuesAddCommand(title: string, options: AddOptions, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { project, criteria, check: checks, label: labels, priority, base } = options;
  const at = (flag: string): FlagPlace => ({ flag, command: "issues add" });
  const single = (flag: string, text: string) => {
    if (text.trim() === "" || /[\r\n]/.test(text)) throw unfitFlag(at(flag), text, texts.issues.oneLine);
    return text.trim();
  };
  if (base !== undefined && /\s/.test(base)) throw unfitFlag(at("--base"), base, texts.issues.word);
  const draft = {
    title: single("<title>", title),
    body: options.body === "-" ? await readAll(process.stdin) : options.body,
    criteria,
    checks,
    labels: labels.map((one) => single("--label", one)),
    priority: priority === undefined ? undefined : single("--priority", priority),
    blocked_by: options.blockedBy.map((number) => numberOf(number, at("--blocked-by"), context)),
    base,
  };
  const issue = await addIssue({ project, command: "e8 issues add" }, draft);
  if (options.json) return output.json(issue);
  output.result(texts.issues.added(issue.number, issue.url));
}

export async function issuesShowCommand(
  number: string,
  { project, json }: { project: string; json?: boolean },
  context: CliContext,
): Promise<void> {
  const id = numberOf(number, { flag: "<number>", command: "issues show" }, context);
  const shown = await showIssue({ project, command: `e8 issues show ${id}` }, id);
  if (json) context.output.json({ ...shown.issue, task: shown.work, comments: shown.comments });
  else context.output.page(issueLines(shown, context));
}

export async function issuesCloseCommand(
  number: string,
  { project }: { project: string },
  context: CliContext,
): Promise<void> {
  const id = numberOf(number, { flag: "<number>", command: "issues close" }, context);
  await closeIssue({ project, command: `e8 issues close ${id}` }, id);
  context.output.result(context.texts.issues.closed(id));
}

export async function labelsSyncCommand(
  { project, dryRun = false, json }: { project: string; dryRun?: boolean; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const changes = await syncLabels({ project, command: "e8 labels sync" }, { dry_run: dryRun });
  if (json) return output.json(changes.map(({ label, change }) => ({ ...label, change })));
  const rows = changes.map(({ label, change }) => [texts.labels.change[change], label.name]);
  for (const line of table(rows)) output.result(line);
  if (dryRun) output.progress(texts.labels.dryRun);
}

/** `12` or `#12`. */
function numberOf(text: string, place: FlagPlace, { texts }: CliContext): number {
  const digits = /^#?([1-9]\d{0,8})$/.exec(text.trim())?.[1];
  if (digits === undefined) throw unfitFlag(place, text, texts.issues.number);
  return Number(digits);
}
