import { z } from "zod";
import type { LabelChange } from "../connection/ports/tracker.ts";
import type { Workflow } from "../model/flow/workflow.ts";
import { sameLabel, type TrackedItem } from "../model/issue.ts";

/** The order in which issues are worked on: the most urgent first, then the oldest. */
export function inOrder<T extends Candidate>(items: readonly T[], prioritizer?: Workflow["prioritizer"]): T[] {
  const rank = (item: T) => (prioritizer ? labelRank(item, prioritizer) : urgencyOf(item.priority));
  return items.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      (left.phase_priority ?? 0) - (right.phase_priority ?? 0) ||
      left.created_at.localeCompare(right.created_at) ||
      left.number - right.number,
  );
}

export interface Candidate extends Pick<TrackedItem, "number" | "labels" | "created_at" | "priority"> {
  /** Of its phase in the workflow: the lower, the sooner. */
  phase_priority?: number;
}

/** By the first of the prioritizer's labels that the issue has. One without them comes where the default label is, or last. */
function labelRank(
  { labels }: Candidate,
  { labels: order, defaultLabel }: NonNullable<Workflow["prioritizer"]>,
): number {
  const own = labels.map(sameLabel);
  const rank = order.findIndex((label) => own.includes(sameLabel(label)));
  if (rank >= 0) return rank;
  return defaultLabel === undefined ? order.length : order.indexOf(defaultLabel);
}

const WORDS = ["critical", "urgent", "high", "", "low"];
const SAME_AS: Readonly<Record<string, string>> = {
  highest: "critical",
  lowest: "low",
  medium: "",
  normal: "",
  高: "high",
  中: "",
  低: "low",
};

/** What a user may type. An issue may say something else, which counts as no priority. */
export const PRIORITIES: readonly string[] = [
  ...["critical", "urgent", "high", "normal", "low"],
  ...Array.from({ length: 10 }, (_, level) => `P${level}`),
];

export function isPriority(text: string): boolean {
  const word = text.trim().toLowerCase();
  return /^p\d$/.test(word) || Object.hasOwn(SAME_AS, word) || WORDS.includes(word);
}

/** `P0` to `P9` by their number, `P2` like no priority; words by what they say. An unknown word is like none. */
export function urgencyOf(priority = ""): number {
  const word = priority.trim().toLowerCase();
  const level = /^p(\d)$/.exec(word)?.[1];
  if (level !== undefined) return Number(level) + 1;
  const rank = WORDS.indexOf(SAME_AS[word] ?? word);
  return rank < 0 ? WORDS.indexOf("") : rank;
}

/** The list itself, or the first one in what an agent returned. */
function assignmentsIn(answer: unknown): z.infer<typeof Assignments> {
  const values = typeof answer === "object" && answer !== null && !Array.isArray(answer) ? Object.values(answer) : [];
  const found = [answer, ...values].map((value) => Assignments.safeParse(value).data);
  return found.find((list) => list !== undefined) ?? [];
}

const Assignments = z.array(z.object({ issue: z.int().positive(), priority: z.string() }));

/** What the prioritizer has answered, as changes of labels. Labels that the workflow does not offer become the default, or nothing. */
export function priorityChanges(
  { labels: order, defaultLabel }: NonNullable<Workflow["prioritizer"]>,
  answer: unknown,
  issues: readonly Candidate[],
): { number: number; change: LabelChange }[] {
  const assignments = assignmentsIn(answer);
  return issues.flatMap(({ number, labels }) => {
    const said = assignments.find(({ issue }) => issue === number)?.priority;
    const offered = order.find((label) => said !== undefined && sameLabel(label) === sameLabel(said));
    const hasOne = labels.some((label) => order.some((one) => sameLabel(one) === sameLabel(label)));
    const wanted = offered ?? (said === undefined && hasOne ? undefined : defaultLabel);
    if (wanted === undefined) return [];
    const isOther = (label: string) =>
      sameLabel(label) !== sameLabel(wanted) && order.some((one) => sameLabel(one) === sameLabel(label));
    const remove = labels.filter(isOther);
    const add = labels.some((label) => sameLabel(label) === sameLabel(wanted)) ? [] : [wanted];
    return add.length + remove.length > 0 ? [{ number, change: { add, remove } }] : [];
  });
}
