import type { Workflow } from "../model/flow/workflow.ts";
import type { TrackedItem } from "../model/issue.ts";
import { type Message, message } from "../model/message.ts";
import { issueTask } from "./issue-task.ts";
import { type KnownItem, openTurn } from "./queue.ts";
import { labelsFor, nextStep, type Turn as PastTurn } from "./workflow.ts";

/** What is to be done with an open issue. */
export type Choice =
  /** `agent`: the name that the workflow has for it. */
  | { do: "work"; agent?: string; phase?: string; delay_ms: number }
  /** It goes in circles: labels say so, and a person has to look. */
  | { do: "block"; problem: Message; labels: { add: string[]; remove: string[] } }
  /** Done, waiting for a person, or not ours. */
  | { do: "skip" };

const NOW = { delay_ms: 0 } as const;

export function choiceFor(issue: TrackedItem, known: KnownItem, workflow: Workflow | undefined): Choice {
  if (known.parked !== undefined) return { do: "skip" };
  const open = openTurn(known);
  if (open) return { do: "work", ...namesOf(open), ...NOW };
  return workflow ? inWorkflow(issue, known, workflow) : asTask(known);
}

function namesOf({ agent, phase }: { agent?: string; phase?: string }) {
  return { ...(agent !== undefined && { agent }), ...(phase !== undefined && { phase }) };
}

/** An issue that was closed is open again because somebody wants more. Work that went elsewhere waits there. */
function asTask({ turns }: KnownItem): Choice {
  const { ended } = turns.at(-1) ?? {};
  const wasClosed = ended?.was_done || ended?.landing === "landed" || ended?.landing === "kept";
  return ended && !wasClosed ? { do: "skip" } : { do: "work", ...NOW };
}

function inWorkflow({ labels }: TrackedItem, { turns }: KnownItem, workflow: Workflow): Choice {
  const step = nextStep(workflow, labels, turns.flatMap(pastTurn));
  if (step.do === "work") return { do: "work", agent: step.agent, phase: step.phase, delay_ms: step.delay_ms };
  if (step.do !== "block") return { do: "skip" };
  const { reason, count, phase, to } = step;
  const change = to === undefined ? { add: [], remove: [] } : labelsFor(workflow, to, labels);
  const problem = message("issue_in_circles", { reason, count, phase });
  return { do: "block", problem, labels: { add: [...change.add], remove: [...change.remove] } };
}

function pastTurn({ phase, ended }: KnownItem["turns"][number]): PastTurn[] {
  return phase === undefined || !ended ? [] : [{ phase, outcome: ended.outcome, to: ended.to ?? phase }];
}

/** The issues that come first and are not closed. */
export function blockers(issue: TrackedItem, isOpen: (number: number) => boolean): number[] {
  return issueTask(issue).blocked_by.filter((number) => number !== issue.number && isOpen(number));
}
