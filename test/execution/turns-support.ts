import type { Assignment } from "../../src/model/agent.ts";
import { spelledAgent } from "../../src/model/agent-choice.ts";
import { type GoalOptions, recorded, runGoal } from "../support/run-goal.ts";
import { failing, type Scene, worked } from "../support/scripted-agent.ts";

export const START = Date.UTC(2026, 0, 23, 13, 30);
export const HOUR = 3600_000;
/** The worker's own words stand in the records. */
export const models = { intake: "m", executor: "m", summarizer: "none", judge: "m" };
export const TWO = { fallbacks: [{ agent: { command: "b" }, model: null }] };

/** Who does what, in order: by the agent's name, with its model where it has one. */
export function workers(scenes: Record<string, Scene[]>) {
  const turns = new Map<string, number>();
  return ({ worker }: Assignment): Scene => {
    const name = worker ? [spelledAgent(worker.agent), worker.model].filter(Boolean).join(" ") : "claude";
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    return scenes[name]?.[turn] ?? scenes[name]?.at(-1) ?? worked(`${name} worked`);
  };
}

/** A check that fails to the end, so that the run goes on. */
export function task(scenes: Record<string, Scene[]>, more: Partial<GoalOptions> = {}) {
  return runGoal({
    criteria: [{ command: "false" }],
    checks: [1],
    changes: [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"], ["h"]],
    ...more,
    settings: { ...TWO, models, max_iterations: 4, ...more.settings },
    script: { executor: workers(scenes), ...more.script },
  });
}

export function turnsIn({ records }: Awaited<ReturnType<typeof runGoal>>) {
  return recorded(records, "worker").map(({ iteration, from, to, cause }) => [iteration, from, to, cause]);
}

export function workersIn({ records }: Awaited<ReturnType<typeof runGoal>>) {
  return recorded(records, "summary").map(({ worker }) => worker);
}

export const limited = (hours: number) => failing("usage_limit", "resets later", START + hours * HOUR);
