import process from "node:process";
import { type BacklogOptions, type BacklogRequest, planBacklog, workThrough } from "../../compose/backlog.ts";
import type { BacklogEvent, BacklogResult } from "../../model/backlog.ts";
import type { Check } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import { drain } from "../../model/event-stream.ts";
import { exitCodes } from "../exit-codes.ts";
import { offerForward } from "../forward.ts";
import { listenForInterrupts } from "../interrupts.ts";
import { openBacklogScreen } from "../live/backlog-screen.ts";
import type { ScreenOptions } from "../live/screen.ts";
import type { CliContext } from "../output.ts";
import { backlogRows, countWords } from "../render/backlog.ts";
import { tableOrBlocks } from "../render/columns.ts";
import { type CommonRunFlags, type FlagPlace, unfitFlag } from "../run-flags.ts";

export interface OrchestrateFlags extends CommonRunFlags {
  label: string[];
  workerLabel?: string[];
  issue: string[];
  limit?: string;
  parallel: string;
  resume?: boolean;
  watch?: string;
  dryRun?: boolean;
  criteria?: readonly (string | Check)[];
  intake?: boolean;
  agentCommand?: string;
}

export async function orchestrateCommand(flags: OrchestrateFlags, context: CliContext): Promise<void> {
  const request = requestIn(flags, context);
  if (flags.dryRun) return showPlan(request, flags, context);
  const forwards = new Map<string, string>();
  const start = (options: BacklogOptions) => workThrough(request, { ...options, acceptChanges: flags.acceptChanges });
  await followBacklog(start, flags, { ...context, heard: (event) => note(forwards, event) });
  if (!flags.json && !flags.jsonEvents) await tellForward(request.project, forwards, context);
}

/** Shows a backlog as it is worked on, and how every issue stands at its end. */
export async function followBacklog(
  start: (options: BacklogOptions) => AsyncGenerator<BacklogEvent, BacklogResult>,
  flags: ScreenOptions,
  context: CliContext & { heard?: (event: BacklogEvent) => void },
): Promise<BacklogResult> {
  const screen = openBacklogScreen(flags, context);
  const interrupts = listenForInterrupts(screen);
  try {
    const { signal, hurry } = interrupts;
    const result = await drain(start({ signal, hurry, language: context.texts.language }), (event) => {
      context.heard?.(event);
      screen.show(event);
    });
    screen.close();
    tellResult(result, flags, context);
    return result;
  } finally {
    screen.close();
    interrupts.release();
  }
}

function requestIn(flags: OrchestrateFlags, { texts }: CliContext): BacklogRequest {
  const at = (flag: string): FlagPlace => ({ flag, command: "orchestrate" });
  const count = (flag: string, text: string) => {
    if (!/^[1-9]\d{0,5}$/.test(text)) throw unfitFlag(at(flag), text, texts.values.between(1, 999_999));
    return Number(text);
  };
  if (flags.json && flags.jsonEvents)
    throw new E8Error("flag_invalid", { flag: "--json-events", problem: texts.oneJsonFormat });
  const { project, label, workerLabel = [], issue, limit, parallel, resume = false, watch, maxCost, ...others } = flags;
  return {
    project,
    flags: { ...others, criteria: flags.criteria },
    labels: label,
    worker_labels: workerLabel,
    issues: issue.map((number) => count("--issue", number)),
    limit: limit === undefined ? Number.POSITIVE_INFINITY : count("--limit", limit),
    parallel: count("--parallel", parallel),
    resume,
    watch_seconds: watch === undefined ? undefined : secondsIn(watch, at("--watch"), texts.values.between(1, 86_400)),
    max_cost: maxCost === undefined ? undefined : costIn(maxCost, at("--max-cost")),
  };
}

function secondsIn(text: string, at: FlagPlace, allowed: string): number {
  const [, number = "", unit = "s"] = /^(\d{1,5})(s|m|h)?$/.exec(text) ?? [];
  const seconds = Number(number) * { s: 1, m: 60, h: 3600 }[unit as "s" | "m" | "h"];
  if (!(seconds >= 1 && seconds <= 86_400)) throw unfitFlag(at, text, allowed);
  return seconds;
}

function costIn(text: string, at: FlagPlace): number {
  const cost = Number(text);
  if (!(cost > 0)) throw unfitFlag(at, text, "> 0");
  return cost;
}

async function showPlan(
  request: BacklogRequest,
  { json }: OrchestrateFlags,
  { texts, output }: CliContext,
): Promise<void> {
  const { backlog } = texts;
  const { next, waiting } = await planBacklog(request, new AbortController().signal);
  if (json) return output.json({ next, waiting });
  if (next.length + waiting.length === 0) return output.progress(backlog.nothing);
  output.progress(backlog.dryRun);
  const rows = next.map(({ issue, phase = "", agent = "", branch, base }) => [
    ...[String(issue.number), phase, agent, branch, base ?? backlog.noBase, issue.title],
  ]);
  const others = waiting.map(({ issue, blocked_by }) => {
    const numbers = blocked_by.map((number) => `#${number}`).join(texts.separator);
    return [String(issue.number), backlog.blockedBy(numbers), "", "", "", issue.title];
  });
  for (const line of tableOrBlocks(backlog.planColumns, [...rows, ...others], output.paint)) output.result(line);
}

/** Keeps the commands that bring a checkout forward. */
function note(forwards: Map<string, string>, event: BacklogEvent): void {
  if (event.type !== "run" || event.envelope.event.type !== "landing") return;
  const { base, forward } = event.envelope.event.landing;
  if (forward !== undefined) forwards.set(base, forward);
}

function tellResult(result: BacklogResult, { json, jsonEvents }: ScreenOptions, { texts, output }: CliContext): void {
  const isDone = result.items.every(({ state }) => state === "done");
  if (result.stopped === "cancelled") process.exitCode = exitCodes.cancelled;
  else if (!isDone) process.exitCode = exitCodes.conditions_failed;
  if (jsonEvents) output.result(JSON.stringify({ type: "backlog-end", result }));
  else if (json) output.json(result);
  else if (result.items.length === 0) output.progress(texts.backlog.nothing);
  else tellItems(result, { texts, output });
}

function tellItems(result: BacklogResult, { texts, output }: CliContext): void {
  for (const line of tableOrBlocks(texts.backlog.columns, backlogRows(result, texts), output.paint))
    output.result(line);
  output.progress(countWords(result, texts));
  if (result.stopped === "budget") output.progress(texts.backlog.budget);
  if (result.items.some(({ state }) => state !== "done")) output.progress(texts.backlog.next);
}

async function tellForward(project: string, forwards: ReadonlyMap<string, string>, context: CliContext): Promise<void> {
  if (forwards.size === 0) return;
  const { texts, output } = context;
  output.progress(texts.backlog.forward);
  for (const command of forwards.values()) output.progress(`  ${command}`);
  await offerForward(project, forwards.keys(), context);
}
