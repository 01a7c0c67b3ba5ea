import { fold, type LiveState, nothingYet } from "../../../src/cli/live/state.ts";
import type { Criterion } from "../../../src/model/criterion.ts";
import type { Evaluation } from "../../../src/model/evaluation.ts";
import type { RunEvent, StepStart } from "../../../src/model/events.ts";

export const START = Date.UTC(2026, 0, 23, 10);

type RunStart = Extract<RunEvent, { type: "run-start" }>;

export function runStart(criteria: readonly Criterion[], more: Partial<RunStart> = {}): RunStart {
  return {
    type: "run-start",
    task_id: "2026-01-23T10-00-00",
    directory: "/tasks/2026-01-23T10-00-00",
    task: "Mend the cart",
    criteria: [...criteria],
    resumed_after: 0,
    max_iterations: 10,
    budget: { cost_usd: null, tokens: null, minutes: null },
    spent: { tokens: 0, cost_usd: 0, seconds: 0 },
    evaluations: [],
    ...more,
  };
}

export function sentence(text: string): Criterion {
  return { type: "semantic", text };
}

export function command(text: string): Criterion {
  return { type: "command", command: text, description: text };
}

export function evaluation(id: number, is_met: boolean, criterion = `criterion ${id}`): Evaluation {
  return { id, criterion, is_met, evidence: "", confidence: 1, source: "command" };
}

export function stepStart(more: Partial<StepStart> = {}): StepStart {
  const place = { number: 2, of: 4, is_retry: false };
  return { type: "step-start", iteration: 1, step_id: "initial.plan", name: "Plan", kind: "work", ...place, ...more };
}

/** The events one second after the other. */
export function folded(...events: RunEvent[]): LiveState {
  return events.reduce((state, event, index) => fold(state, event, START + index * 1000), nothingYet(START));
}

/** The marks in order: `✔✘·`, and `◌` for what is being checked. */
export function marks({ criteria }: LiveState): string {
  const signs = { met: "✔", unmet: "✘", open: "·" };
  return criteria.map(({ mark, isBeingChecked }) => (isBeingChecked ? "◌" : signs[mark])).join("");
}
