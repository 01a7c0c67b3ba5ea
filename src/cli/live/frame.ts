import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { Style } from "../output.ts";
import { clock, compact, costWords, dollars, tokenWords } from "../render/amounts.ts";
import { displayWidth, fitted } from "../render/columns.ts";
import { checkName } from "../render/evaluations.ts";
import { stepTitle } from "../render/progress.ts";
import type { LiveCriterion } from "./criteria.ts";
import type { Activity, LiveState, Waiting } from "./state.ts";

/** A piece of a line with one look. */
export interface Segment {
  text: string;
  style?: Style;
}
export type Row = readonly Segment[];

export interface FrameSettings {
  texts: Texts;
  columns: number;
  rows: number;
  /** Epoch milliseconds. */
  now: number;
  /** The run belongs to another process: Ctrl-C only leaves the view. */
  isWatched: boolean;
  /** It is over already. */
  isReplay?: boolean;
}

/** Letters whose width terminals disagree about (…, →, ·) must not push a line over the edge. */
const MARGIN = 2;
const NARROWEST = 10;

/** The live view as lines: none wider than the terminal, and always fewer than it has. */
export function frame(state: LiveState, given: FrameSettings): Row[] {
  const settings = { ...given, now: state.pausedSince ?? given.now }; // a pause stops every clock
  const width = Math.max(NARROWEST, settings.columns - MARGIN);
  const height = heightIn(settings.rows);
  const doing = [headRow(state, width, settings), ...waitingRows(state, width, settings)];
  const what = [
    ...workerRows(state, width, settings),
    ...stepRows(state, width, settings),
    ...taskRows(state, width),
    ...factRows(state, width, settings),
  ];
  const head = [...doing, ...what];
  const foot = [hintRow(state, width, settings)];
  const isAiry = height >= AIRY_HEIGHT;
  const room = Math.max(0, height - head.length - foot.length - (isAiry ? 4 : 0));
  // Room for what is yet to be done is kept free: criteria must not move each time that something happens.
  const reserved = Math.min(settings.rows >= TALL ? 8 : 5, Math.floor(room / 2));
  const criteria = criterionRows(state.criteria, { width, room: room - reserved }, settings);
  const activities = activityRows(reserved === 0 ? [] : state.activities.slice(-reserved), width, settings);
  const sections = [head, criteria, activities, foot].filter((rows) => rows.length > 0);
  return sections.flatMap((rows) => (isAiry ? [BLANK, ...rows] : rows)).slice(0, height);
}

const BLANK: Row = [{ text: " " }];
const AIRY_HEIGHT = 12;
const TALL = 40;

/** Part of the log above stays in sight. */
function heightIn(rows: number): number {
  return Math.max(1, Math.min(rows - 2, Math.max(10, Math.floor(rows * 0.75))));
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

function headRow(state: LiveState, width: number, { texts, now }: FrameSettings): Row {
  const spinner = SPINNER[Math.floor(now / 1000) % SPINNER.length] ?? "";
  const waiting = waitingFor(state, now);
  const { isStopping, phaseSince, pausedSince } = state;
  const going = pausedSince === null ? phaseText(state, texts) : `${texts.live.paused} · ${phaseText(state, texts)}`;
  const doing = isStopping ? texts.live.stopping : waiting ? countdown(waiting, texts) : going;
  const where = state.iteration > 0 ? [texts.iteration(state.iteration, state.maxIterations)] : [];
  const time = waiting || width < 3 * NARROWEST ? "" : `  ${clock((now - phaseSince) / 1000)}`;
  const title = [...where, doing].join(" · ");
  return [
    { text: `${spinner} `, style: "cyan" },
    {
      text: fitted(title, width - 2 - time.length),
      style: isStopping || waiting || pausedSince !== null ? "yellow" : "bold",
    },
    { text: time, style: "dim" },
  ];
}

function phaseText({ phase, isBesideChecks, isOver }: LiveState, { phase: names, live }: Texts): string {
  if (!phase) return isOver ? live.ending : live.starting;
  return isBesideChecks ? live.besideChecks(names[phase]) : names[phase];
}

function waitingFor({ waiting }: LiveState, now: number) {
  return waiting && waiting.until > now ? { ...waiting, seconds: Math.ceil((waiting.until - now) / 1000) } : undefined;
}

function countdown(waiting: Waiting & { seconds: number }, { live }: Texts): string {
  const left = clock(waiting.seconds);
  return "reason" in waiting ? live.waiting(left) : live.retrying(waiting.attempt, waiting.of, left);
}

function waitingRows(state: LiveState, width: number, { texts, now }: FrameSettings): Row[] {
  const waiting = waitingFor(state, now);
  if (!waiting) return [];
  const what = texts.live.trouble[waiting.code];
  if (!("reason" in waiting)) return [line(texts.live.failed(what, waiting.status), width, "yellow")];
  const reason = teller(texts.language)(waiting.reason);
  return [line(what ? texts.labeled(what, reason) : reason, width, "yellow")];
}

/** On a line of its own: names are long, and must not push a countdown out of sight. */
function stepRows({ step }: LiveState, width: number, { texts }: FrameSettings): Row[] {
  return step ? [line(stepTitle(step, texts), width)] : [];
}

function workerRows({ worker }: LiveState, width: number, { texts }: FrameSettings): Row[] {
  return worker === null ? [] : [line(texts.workers.atWork(worker), width)];
}

function taskRows({ taskId, task }: LiveState, width: number): Row[] {
  if (taskId === "") return [];
  const room = width - taskId.length - 4;
  if (room < NARROWEST) return [line(task, width)];
  return [[{ text: `  ${taskId}`, style: "dim" }, { text: `  ${fitted(task, room)}` }]];
}

const NEAR = 0.8;

/** Time, tokens and money, each against what may be spent; on as many lines as they need. */
function factRows({ spent, spentAt, budget }: LiveState, width: number, { texts, now }: FrameSettings): Row[] {
  const { of, tokens } = texts.live;
  const { unknown = [] } = spent;
  const seconds = spent.seconds + Math.max(0, now - spentAt) / 1000;
  const fact = (used: number, limit: number | null, say: (amount: number) => string, told = say(used)): Segment => ({
    text: limit === null ? told : of(told, say(limit)),
    style: limit !== null && used >= limit * NEAR ? "yellow" : "dim",
  });
  const hasCost = spent.cost_usd > 0 || budget.cost_usd !== null || unknown.includes("cost");

  const facts = [
    fact(seconds, budget.minutes === null ? null : budget.minutes * 60, clock),
    fact(spent.tokens, budget.tokens, compact, tokenWords(spent, texts, compact)),
    ...(hasCost ? [fact(spent.cost_usd, budget.cost_usd, dollars, costWords(spent, texts)[0])] : []),
  ];
  return inLines(
    facts.map((one, index) => (index === 1 ? { ...one, text: tokens(one.text) } : one)),
    width,
  );
}

function inLines(segments: readonly Segment[], width: number): Row[] {
  const rows: Segment[][] = [];
  let used = width;
  for (const segment of segments) {
    const text = fitted(segment.text, width - 2);
    const wide = displayWidth(text) + 2;
    if (used + wide + 1 > width) rows.push([]);
    const row = rows.at(-1) ?? [];
    used = row.length === 0 ? wide : used + wide + 1;
    row.push({ text: row.length === 0 ? "  " : " · ", style: "dim" }, { ...segment, text });
  }
  return rows;
}

const URGENCY = { unmet: 1, open: 2, met: 3 };

/** Without room for all, unmet and open criteria are shown first. */
function criterionRows(
  criteria: readonly LiveCriterion[],
  { width, room }: { width: number; room: number },
  { texts }: FrameSettings,
): Row[] {
  const urgency = ({ isBeingChecked, mark }: LiveCriterion) => (isBeingChecked ? 0 : URGENCY[mark]);
  const isWhole = criteria.length <= room;
  const ranked = isWhole ? criteria : criteria.toSorted((left, right) => urgency(left) - urgency(right));
  const shown = ranked.slice(0, isWhole ? criteria.length : Math.max(0, room - 1));
  const hidden = ranked.slice(shown.length);
  const unmet = hidden.filter(({ mark }) => mark === "unmet").length;
  const digits = String(criteria.length).length;
  const rows = shown
    .toSorted((left, right) => left.id - right.id)
    .map((one) => criterionRow(named(one, texts), digits, width));
  if (hidden.length === 0 || room <= 0) return rows;
  return [...rows, line(texts.live.moreCriteria(hidden.length, unmet), width, unmet > 0 ? "red" : "dim")];
}

/** Checks without a description of their own have a name of ours. */
function named(criterion: LiveCriterion, texts: Texts): LiveCriterion {
  return criterion.type === "semantic" ? criterion : { ...criterion, text: checkName(criterion.text, texts) };
}

const MARKS = {
  met: { text: "✔", style: "green" },
  unmet: { text: "✘", style: "red" },
  open: { text: "·", style: "dim" },
  checking: { text: "◌", style: "cyan" },
} as const;

function criterionRow({ id, text, mark, isBeingChecked }: LiveCriterion, digits: number, width: number): Row {
  const number = `${id}.`.padStart(digits + 1);
  const sign = MARKS[isBeingChecked ? "checking" : mark];
  return [
    { ...sign, text: `  ${sign.text} ` },
    { text: `${number} ${fitted(text, Math.max(1, width - digits - 6))}`, ...(mark === "met" && { style: "dim" }) },
  ];
}

function activityRows(activities: readonly Activity[], width: number, { texts }: FrameSettings): Row[] {
  return activities.map((activity) => {
    const style = activity.type === "denied" ? "yellow" : activity.isPast ? "dim" : undefined;
    return line(activityText(activity, texts), width, style);
  });
}

function activityText(activity: Activity, texts: Texts): string {
  if (activity.type === "text") return `📝 ${activity.text}`;
  if (activity.type === "denied") return `✘ ${texts.denied(activity.tool, teller(texts.language)(activity.reason))}`;
  return `→ ${activity.tool}${activity.detail ? `: ${activity.detail}` : ""}`;
}

function hintRow(
  { isStopping, pausedSince, taskId }: LiveState,
  width: number,
  { texts: { live }, isWatched, isReplay }: FrameSettings,
): Row {
  if (isReplay) return line(live.howToLeaveReplay, width, "dim");
  if (pausedSince !== null && !isStopping) return line(live.howToUnpause(taskId), width, "yellow");
  if (isWatched) return line(live.howToLeave, width, "dim");
  return line(isStopping ? live.howToStopAtOnce : live.howToStop, width, isStopping ? "yellow" : "dim");
}

function line(text: string, width: number, style?: Style): Row {
  return [{ text: `  ${fitted(text, width - 2)}`, ...(style && { style }) }];
}
