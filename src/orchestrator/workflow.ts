import type { LabelChange } from "../connection/ports/tracker.ts";
import type { Workflow, WorkflowAgent } from "../model/flow/workflow.ts";
import { sameLabel } from "../model/issue.ts";

/** A run for an issue that has ended, or the decision to block it, as the queue's records keep it. */
export interface Turn {
  phase: string;
  outcome: string;
  /** The phase that followed. */
  to: string;
}

/** What is done next with an issue. */
export type NextStep =
  | { do: "work"; phase: string; agent: string; delay_ms: number }
  /** It is done, or waits for a person. */
  | { do: "rest"; phase: string; type: "terminal" | "blocking" }
  /** It has no label of the workflow. */
  | { do: "ignore" }
  /** It goes in circles. `to` is undefined where the workflow has no blocking phase. */
  | { do: "block"; phase: string; to: string | undefined; reason: "cycles" | "repetition"; count: number };

/**
 * Decides from an issue's labels and its turns, oldest first. A phase that the last turn did not lead to was set by a person: the
 * limits count from there.
 */
export function nextStep(workflow: Workflow, labels: readonly string[], turns: readonly Turn[]): NextStep {
  const phase = phaseOf(workflow, labels);
  const definition = phase === undefined ? undefined : workflow.phases[phase];
  if (phase === undefined || definition === undefined) return { do: "ignore" };
  if (definition.type !== "actionable") return { do: "rest", phase, type: definition.type };
  const { maxCycles, maxConsecutivePhases, cycleDelayMs } = workflow.rules;
  const own = turnsUpTo(phase, turns);
  const repeated = own.length - 1 - own.findLastIndex((turn) => turn.phase !== phase);
  const block = (reason: "cycles" | "repetition", count: number): NextStep => ({
    do: "block",
    phase,
    to: blockingPhase(workflow, workflow.agents[definition.agent]),
    reason,
    count,
  });
  if (maxConsecutivePhases > 0 && repeated >= maxConsecutivePhases) return block("repetition", repeated);
  if (own.length >= maxCycles) return block("cycles", own.length);
  return { do: "work", phase, agent: definition.agent, delay_ms: own.length > 0 ? cycleDelayMs : 0 };
}

/** Blocking before terminal before the most urgent actionable phase. Labels that the workflow does not know mean nothing. */
function phaseOf(workflow: Workflow, labels: readonly string[]): string | undefined {
  const present = labels.map(sameLabel);
  const phases = workflow.labelPhases
    .filter(({ label }) => present.includes(sameLabel(label)))
    .map(({ phase }) => phase);
  return phases.toSorted((left, right) => urgency(workflow, left) - urgency(workflow, right))[0];
}

function urgency({ phases }: Workflow, name: string): number {
  const phase = phases[name];
  if (phase?.type === "blocking") return Number.NEGATIVE_INFINITY;
  if (phase?.type === "terminal") return -Number.MAX_VALUE;
  return phase?.priority ?? Number.POSITIVE_INFINITY;
}

/** The last turns that led to each other, and to this phase. */
function turnsUpTo(phase: string, turns: readonly Turn[]): Turn[] {
  const start = turns.findLastIndex((turn, index) => turn.to !== (turns[index + 1]?.phase ?? phase));
  return turns.slice(start + 1);
}

function blockingPhase({ phases }: Workflow, agent: WorkflowAgent | undefined): string | undefined {
  const isBlocking = (name: string | undefined) => name !== undefined && phases[name]?.type === "blocking";
  return isBlocking(agent?.fallbackPhase) ? agent?.fallbackPhase : Object.keys(phases).find(isBlocking);
}

/** Where a turn leads. `to` is undefined where the agent has no phase for the outcome: the issue stays, for a person to look at. */
export interface Settlement {
  to: string | undefined;
  labels: LabelChange;
  closes: boolean;
}

export function settle(
  workflow: Workflow,
  { agent: name, outcome, labels }: { agent: string; outcome: string; labels: readonly string[] },
): Settlement {
  const agent = workflow.agents[name];
  const to = agent && phaseAfter(agent, outcome);
  if (agent === undefined || to === undefined) return { to: undefined, labels: { add: [], remove: [] }, closes: false };
  const isMeant = agent.closeCondition === undefined || agent.closeCondition === outcome;
  const closes = workflow.phases[to]?.type === "terminal" && agent.closeOnComplete && isMeant;
  return { to, labels: labelsFor(workflow, to, labels), closes };
}

function phaseAfter({ outputPhases, fallbackPhase }: WorkflowAgent, outcome: string): string | undefined {
  return Object.hasOwn(outputPhases, outcome) ? outputPhases[outcome] : fallbackPhase;
}

/** The change after which the phase's label is the only one of the workflow. Labels of others stay. */
export function labelsFor({ labelPhases }: Workflow, phase: string, labels: readonly string[]): LabelChange {
  const wanted = labelPhases.find((one) => one.phase === phase)?.label;
  const isWanted = (label: string) => wanted !== undefined && sameLabel(label) === sameLabel(wanted);
  const isOurs = (label: string) => labelPhases.some((one) => sameLabel(one.label) === sameLabel(label));
  return {
    add: wanted === undefined || labels.some(isWanted) ? [] : [wanted],
    remove: labels.filter((label) => isOurs(label) && !isWanted(label)),
  };
}
