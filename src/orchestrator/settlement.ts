import type { IssueTracker } from "../connection/ports/tracker.ts";
import type { Effect } from "../execution/effects.ts";
import type { TrackedItem } from "../model/issue.ts";
import { message } from "../model/message.ts";
import type { TaskId } from "../model/task.ts";

/** What the tracker is to hear of a turn. */
export interface Settling {
  issue: TrackedItem;
  task_id: TaskId;
  labels: { add: readonly string[]; remove: readonly string[] };
  comment: string | undefined;
  closes: boolean;
}

export function effectKey({ issue, task_id }: Pick<Settling, "issue" | "task_id">, act: string): string {
  return `${task_id}/issue/${issue.number}/${act}`;
}

/** Labels, then the comment, then the closing. Each looks before it changes something, so none is made twice. */
export function settlingEffects(
  tracker: IssueTracker,
  { issue, task_id, ...wanted }: Settling,
  signal: AbortSignal,
): Effect[] {
  const { number } = issue;
  const { labels, comment, closes } = wanted;
  const key = (act: string) => effectKey({ issue, task_id }, act);
  const hasLabels = changesLabels({ issue, task_id, ...wanted });
  return [
    ...(hasLabels
      ? [
          {
            key: key("labels"),
            what: message("issue_label_effect", { issue: number, ...labels }),
            isDone: async () => false, // setting labels twice is harmless
            apply: () => tracker.label(number, labels, signal),
          },
        ]
      : []),
    ...(comment === undefined
      ? []
      : [
          {
            key: key("comment"),
            what: message("issue_comment_effect", { issue: number }),
            isDone: async () => false, // its marker is looked for
            apply: () => tracker.comment(number, { body: comment, marker: `e8/${task_id}` }, signal),
          },
        ]),
    ...(closes
      ? [
          {
            key: key("close"),
            what: message("issue_close_effect", { issue: number }),
            isDone: async () => (await tracker.get("issue", number, signal)).state !== "OPEN",
            apply: () => tracker.close("issue", number, signal),
          },
        ]
      : []),
  ];
}

function changesLabels({ labels }: Settling): boolean {
  return labels.add.length + labels.remove.length > 0;
}

/** Undoes the labels where the tracker refused what was to follow: an issue must not say that it is further than it is. */
export async function takeLabelsBack(
  tracker: IssueTracker,
  { issue, labels }: Settling,
  signal: AbortSignal,
): Promise<void> {
  const had = labels.remove.filter((label) => issue.labels.includes(label));
  await tracker.label(issue.number, { add: had, remove: labels.add }, signal);
}
