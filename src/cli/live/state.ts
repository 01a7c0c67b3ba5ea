import type { FailureCode } from "../../model/agent.ts";
import type { Configuration } from "../../model/configuration.ts";
import { refined } from "../../model/criterion.ts";
import type { Phase, RunEvent, StepStart } from "../../model/events.ts";
import type { Statement } from "../../model/message.ts";
import { NOTHING_SPENT, type Usage } from "../../model/usage.ts";
import { afterCheck, afterJudgment, criteriaOf, type LiveCriterion, lookedAtIn, withConditions } from "./criteria.ts";

/** What an agent did, the oldest first. `isPast`: before the present phase. */
export type Activity = { isPast: boolean } & (
  | { type: "call"; tool: string; detail: string }
  | { type: "denied"; tool: string; reason: Statement }
  | { type: "text"; text: string }
);

/** The run waits for a model. Retries are the agent's own, the rest the loop's. */
export type Waiting = { code: FailureCode; until: number } & (
  | { reason: Statement }
  | { status: number | null; attempt: number; of: number }
);

/** All that the live view shows. Moments are epoch milliseconds. */
export interface LiveState {
  taskId: string;
  task: string;
  /** Who took over; `null`: the preferred one works. */
  worker: string | null;
  iteration: number;
  maxIterations: number;
  step: StepStart | null;
  phase: Phase | null;
  /** Checks run beside the phase. */
  isBesideChecks: boolean;
  phaseSince: number;
  budget: Configuration["budget"];
  spent: Usage;
  /** When `spent` was said: time goes on from there. */
  spentAt: number;
  criteria: readonly LiveCriterion[];
  /** The conditions that are checked one after the other, by their texts. */
  conditions: readonly string[];
  activities: readonly Activity[];
  waiting: Waiting | null;
  /** Since when the run stands still. */
  pausedSince: number | null;
  isStopping: boolean;
  /** It came to its end; what it has started is being ended. */
  isOver: boolean;
}

export function nothingYet(now: number): LiveState {
  return {
    taskId: "",
    task: "",
    worker: null,
    iteration: 0,
    maxIterations: 0,
    step: null,
    phase: null,
    isBesideChecks: false,
    phaseSince: now,
    budget: { cost_usd: null, tokens: null, minutes: null },
    spent: NOTHING_SPENT,
    spentAt: now,
    criteria: [],
    conditions: [],
    activities: [],
    waiting: null,
    pausedSince: null,
    isStopping: false,
    isOver: false,
  };
}

/** The state after an event. Pure. */
export function fold(state: LiveState, event: RunEvent, now: number): LiveState {
  const change = (changes[event.type] as Change<RunEvent>)(event, state, now);
  return { ...state, ...(COMING_WHILE_WAITING.has(event.type) ? {} : { waiting: null }), ...change };
}

/** The user has asked it to stop; it winds down. */
export function stopping(state: LiveState, now: number): LiveState {
  return { ...state, isStopping: true, waiting: null, phaseSince: now };
}

/** Any other event means that the run goes on. */
const COMING_WHILE_WAITING: ReadonlySet<RunEvent["type"]> = new Set(["notice", "check-end", "pause"]);

type Change<E> = (event: E, state: LiveState, now: number) => Partial<LiveState>;
type Changes = { [T in RunEvent["type"]]: Change<Extract<RunEvent, { type: T }>> };

const changes = {
  "run-start": (event, _, now) => ({
    taskId: event.task_id,
    task: event.task,
    iteration: event.resumed_after,
    maxIterations: event.max_iterations,
    worker: event.worker ?? null,
    budget: event.budget,
    spent: event.spent,
    spentAt: now,
    criteria: criteriaOf(event.criteria, event.evaluations),
    activities: [],
    pausedSince: null,
    isStopping: false,
    isOver: false,
  }),
  intake: ({ result }, { task, criteria }) =>
    result.status === "accepted"
      ? { task: result.task.trim() || task, criteria: refined(criteria, result.criteria) }
      : {},
  clarification: () => ({}),
  "iteration-start": ({ iteration, max_iterations }, _, now) => ({
    iteration,
    maxIterations: max_iterations,
    step: null,
    phase: null,
    phaseSince: now,
  }),
  "phase-start": ({ phase, beside }, state, now) => ({
    phase,
    isBesideChecks: beside === "check",
    phaseSince: state.isStopping ? state.phaseSince : now,
    // Of checks that ran beside the phase before, those that are left go on.
    criteria:
      phase === "check" && state.isBesideChecks
        ? state.criteria
        : lookedAtIn(beside ?? phase, state.criteria, state.conditions),
    activities: state.activities.map((activity) => ({ ...activity, isPast: true })),
  }),
  waiting: ({ code, reason, until }) => ({ waiting: { code, reason, until } }),
  "api-retry": ({ code, status, attempt, max_attempts: of, until }) => ({
    waiting: { code, status, attempt, of, until },
  }),
  pause: ({ is_paused }, state, now) => (is_paused ? { pausedSince: state.pausedSince ?? now } : unpaused(state, now)),
  note: () => ({}),
  "check-end": ({ evaluation }, { criteria, conditions, isBesideChecks }) => {
    const after = afterCheck(criteria, evaluation, conditions);
    return { criteria: after, isBesideChecks: isBesideChecks && after.some(({ isBeingChecked }) => isBeingChecked) };
  },
  "setup-end": () => ({}),
  summary: () => ({}),
  judgment: ({ judgment }, { criteria }) => ({ criteria: afterJudgment(criteria, judgment.evaluations) }),
  proof: () => ({}),
  landing: () => ({}),
  "worker-change": ({ change }) => ({ worker: change.to }),
  text: ({ text }, state) => withActivity(state, { type: "text", text: shortened(text), isPast: false }),
  "tool-call": ({ tool, detail }, state) =>
    withActivity(state, { type: "call", tool, detail: shortened(detail), isPast: false }),
  "tool-denied": ({ tool, reason }, state) => withActivity(state, { type: "denied", tool, reason, isPast: false }),
  notice: () => ({}),
  usage: () => ({}),
  spent: ({ total }, _, now) => ({ spent: total, spentAt: now }),
  "agent-state": () => ({}),
  "step-start": (step) => ({ step }),
  conditions: ({ conditions }, { criteria }) => ({ conditions, criteria: withConditions(criteria, conditions) }),
  effect: () => ({}),
  "run-end": (_event, _state, now) => ({ phase: null, isOver: true, phaseSince: now }),
} satisfies Changes;

/** The time of a pause does not count: what began before it has gone on for less. */
function unpaused({ pausedSince, phaseSince, spentAt }: LiveState, now: number): Partial<LiveState> {
  const paused = pausedSince === null ? 0 : now - pausedSince;
  return { pausedSince: null, phaseSince: phaseSince + paused, spentAt: spentAt + paused };
}

const ACTIVITIES_KEPT = 20;
const LONGEST_TEXT = 400;

function withActivity({ activities }: LiveState, activity: Activity): Partial<LiveState> {
  return { activities: [...activities, activity].slice(-ACTIVITIES_KEPT) };
}

/** A whole file may stand in a call; no terminal is that wide. */
function shortened(text: string): string {
  return text.slice(0, LONGEST_TEXT);
}
