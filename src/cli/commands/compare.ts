import { existsSync } from "node:fs";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import {
  type ComparisonOptions,
  type ComparisonPlan,
  comparisonOf,
  findComparison,
  planComparison,
  resumeComparison,
  startComparison,
} from "../../compose/comparisons.ts";
import { foretold } from "../../compose/dry-run.ts";
import { chosenIn, keepEntry, NONE, requireChoice } from "../../compose/keeping.ts";
import type { ComparedRun, Comparison, ComparisonEvent } from "../../model/comparison.ts";
import type { Check } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import { drain } from "../../model/event-stream.ts";
import { message } from "../../model/message.ts";
import { exitCodes } from "../exit-codes.ts";
import { listenForInterrupts } from "../interrupts.ts";
import { openComparisonScreen } from "../live/comparison-screen.ts";
import type { CliContext } from "../output.ts";
import { chooseAtTerminal, isTerminal } from "../questions.ts";
import { tableOrBlocks } from "../render/columns.ts";
import { comparisonTable } from "../render/comparison.ts";
import { foretoldLines } from "../render/foretold.ts";
import { type CommonRunFlags, chosenFlag, unfitFlag } from "../run-flags.ts";

export interface CompareFlags extends Omit<CommonRunFlags, "agent" | "keep"> {
  agent?: string[];
  config?: string;
  parallel?: string | true;
  keep?: string;
  others: string;
  resume?: boolean;
  dryRun?: boolean;
  criteria?: readonly (string | Check)[];
  intake?: boolean;
}

/** With agents, a comparison begins; without, one that was begun is shown, continued, or one of its runs is kept. */
export async function compareCommand(
  given: string | undefined,
  typed: CompareFlags,
  context: CliContext,
): Promise<void> {
  const { what, ...flags } = withoutSwallowed(given, typed);
  if (flags.json && flags.jsonEvents)
    throw new E8Error("flag_invalid", { flag: "--json-events", problem: context.texts.oneJsonFormat });
  chosenFlag({ flag: "--others", command: "compare" }, flags.others, ["remove", "keep"]);
  const agents = flags.agent ?? [];
  if (agents.length === 0) return later(what, flags, context);
  if (agents.length === 1)
    throw new E8Error("flag_invalid", { flag: "--agent", command: "compare", problem: message("agents_too_few", {}) });
  if (flags.resume)
    throw new E8Error("flag_invalid", { flag: "--resume", problem: context.texts.resumeTakesNothingNew });
  if (flags.keep !== undefined) requireChoice(agents, flags.keep);
  const plan = await planComparison(await requestIn(what, flags, agents), process.env);
  if (flags.dryRun) return showPlan(plan, flags, context);
  const compared = await followed((options) => startComparison(plan, options), flags, {
    ...context,
    parallel: agents.length,
    before: presumptions(plan, context),
  });
  await decide(compared, flags, context);
}

/** The parser takes what follows `--parallel` for its value. */
function withoutSwallowed(what: string | undefined, flags: CompareFlags): CompareFlags & { what: string | undefined } {
  const { parallel } = flags;
  const isSwallowed = what === undefined && typeof parallel === "string" && !/^[\d.-]+$/.test(parallel);
  return isSwallowed ? { ...flags, parallel: true, what: parallel } : { ...flags, what };
}

async function requestIn(what: string | undefined, flags: CompareFlags, agents: readonly string[]) {
  const { agent: _, keep: __, config, project, ...rest } = flags;
  const isFile = what !== undefined && /\.ya?ml$/i.test(what) && existsSync(what);
  const task = what === "-" ? await readAll(process.stdin) : what;
  const given = isFile ? { config: what } : { config };
  return { project, ...given, agents, flags: { ...rest, task: isFile ? undefined : task } };
}

/** A comparison that was begun before. */
async function later(what: string | undefined, flags: CompareFlags, context: CliContext): Promise<void> {
  const { project, resume, keep, dryRun } = flags;
  if (dryRun || flags.config !== undefined)
    throw new E8Error("flag_invalid", { flag: "--agent", command: "compare", problem: message("agents_too_few", {}) });
  const id = await findComparison(project, what);
  const { agent: _, keep: __, ...settings } = flags;
  const changes = { ...settings, criteria: undefined };
  const found = await comparisonOf(project, id);
  if (!resume) return keep === undefined ? show(found, flags, context) : decide(found, flags, context);
  const go = (options: ComparisonOptions) => resumeComparison({ project, id, flags: changes }, options);
  const compared = await followed(go, flags, { ...context, parallel: found.runs.length });
  await decide(compared, flags, context);
}

interface Following extends CliContext {
  /** How many run at once where `--parallel` has no number. */
  parallel: number;
  /** What is said first. */
  before?: readonly string[];
}

async function followed<R>(
  start: (options: ComparisonOptions) => AsyncGenerator<ComparisonEvent, R>,
  flags: CompareFlags,
  { parallel: all, before = [], ...context }: Following,
): Promise<R> {
  const parallel = flags.parallel === true ? all : parallelIn(flags.parallel, context);
  const screen = openComparisonScreen(flags, context);
  const interrupts = listenForInterrupts(screen);
  const { language } = context.texts;
  const { acceptChanges } = flags;
  if (!flags.quiet) before.forEach(context.output.progress);
  try {
    const { signal, hurry } = interrupts;
    return await drain(start({ signal, hurry, language, parallel, acceptChanges }), (event) => screen.show(event));
  } finally {
    screen.close();
    interrupts.release();
  }
}

function parallelIn(given: string | undefined, { texts }: CliContext): number {
  if (given === undefined) return 1;
  if (/^[1-9]\d?$/.test(given)) return Number(given);
  throw unfitFlag({ flag: "--parallel", command: "compare" }, given, texts.values.between(1, 99));
}

function presumptions(plan: ComparisonPlan, { texts: { comparing } }: CliContext): string[] {
  const { base, base_commit, is_presumed, is_dirty } = plan;
  return [
    ...(is_presumed ? [comparing.presumed(base, base_commit.slice(0, 10))] : []),
    ...(is_dirty ? [comparing.dirty] : []),
  ];
}

/** Shows how they have come out, and finalizes the one that is chosen: by the flag, or at a terminal by an answer. */
async function decide(compared: Comparison, flags: CompareFlags, context: CliContext): Promise<void> {
  if (flags.keep === undefined || compared.stopped) show(compared, flags, context);
  if (compared.stopped) return;
  const keep = flags.keep ?? (await asked(compared, flags, context));
  if (keep === undefined) return;
  const hasRun = flags.resume || (flags.agent ?? []).length > 0; // the choice was made before
  const chosen = keep === NONE ? undefined : chosenIn(compared.runs, keep);
  if (hasRun && chosen && chosen.status !== "completed") {
    show(compared, flags, context);
    return notKept(chosen, flags, context);
  }
  const { project, agent: _, keep: __, ...settings } = flags;
  const changes = { ...settings, criteria: undefined, worktree: undefined, base: undefined };
  const request = { project, id: compared.comparison, keep, keepsOthers: flags.others === "keep", flags: changes };
  const kept = await followed((options) => keepEntry(request, options), flags, { ...context, parallel: 1 });
  tell(kept, flags, context);
  if (!kept.is_kept && chosen) notKept(chosen, flags, context);
  else process.exitCode = exitCodes.completed;
  if (kept.stopped) process.exitCode = exitCodes.cancelled;
}

function notKept(
  { number, agent }: ComparedRun,
  { json, jsonEvents }: CompareFlags,
  { texts, output }: CliContext,
): void {
  process.exitCode = exitCodes.conditions_failed;
  if (!json && !jsonEvents) output.progress(texts.comparing.notKept(number, agent));
}

async function asked(
  { runs }: Comparison,
  { json, jsonEvents, quiet }: CompareFlags,
  { texts }: CliContext,
): Promise<string | undefined> {
  const completed = runs.filter(({ status, landing }) => status === "completed" && landing === null);
  if (json || jsonEvents || quiet || !isTerminal() || completed.length === 0) return undefined;
  const choices = completed.map(({ number, agent }) => ({ value: String(number), label: `${number} ${agent}` }));
  const chosen = await chooseAtTerminal(texts.comparing.ask, [{ value: "", label: texts.comparing.later }, ...choices]);
  return chosen || undefined;
}

function show(compared: Comparison, flags: CompareFlags, { texts, output }: CliContext): void {
  const { runs, stopped, comparison } = compared;
  const isDone = runs.some(({ status }) => status === "completed");
  process.exitCode = stopped ? exitCodes.cancelled : isDone ? exitCodes.completed : exitCodes.conditions_failed;
  tell(compared, flags, { texts, output });
  if (flags.json || flags.jsonEvents) return;
  const isOpen = runs.some(({ status }) => ["not_begun", "cancelled", "interrupted"].includes(status));
  if (isOpen) output.progress(texts.comparing.resume(comparison));
  if (isDone && runs.some(({ worktree }) => worktree !== null)) output.progress(texts.comparing.choose(comparison));
}

function tell(compared: Comparison, { json, jsonEvents }: CompareFlags, { texts, output }: CliContext): void {
  if (jsonEvents) output.result(JSON.stringify({ type: "comparison-end", result: compared }));
  else if (json) output.json(compared);
  else for (const line of comparisonTable(compared, texts, output.paint)) output.result(line);
}

function showPlan(plan: ComparisonPlan, { json }: CompareFlags, context: CliContext): void {
  const { texts, output } = context;
  const { comparing } = texts;
  const { entries, base, base_commit, finalize, is_presumed, is_dirty } = plan;
  const runs = entries.map((entry, index) => {
    const { agent, model, configuration } = entry;
    return { number: index + 1, agent, model, configuration, ...foretold(entry, process.env) };
  });
  if (json) {
    output.json({ base, base_commit, is_presumed, is_dirty, finalize, runs });
    return;
  }
  output.progress(comparing.dryRun);
  presumptions(plan, context).forEach(output.progress);
  const goals = (["create_pr", "merge", "push"] as const).filter((goal) => finalize[goal]);
  const words = comparing.afterwards(goals.map((goal) => comparing.goals[goal]));
  const rows = runs.map(({ number, agent, model }) => [
    ...[String(number), agent, model ?? "", base, base_commit.slice(0, 10), words],
  ]);
  for (const line of tableOrBlocks(comparing.planColumns, rows, output.paint)) output.result(line);
  const told = { abilities: runs.flatMap((run) => run.abilities), notices: runs.flatMap((run) => run.notices) };
  foretoldLines(told, texts, output.paint).forEach(output.result);
}
