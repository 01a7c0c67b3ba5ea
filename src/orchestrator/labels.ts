import { type IssueLabel, sameLabel } from "../model/issue.ts";

/** What must happen to a label so that the tracker has it as the workflow says. */
export interface LabelSync {
  label: IssueLabel;
  change: "created" | "updated" | "unchanged";
}

export function labelChanges(wanted: readonly IssueLabel[], present: readonly IssueLabel[]): LabelSync[] {
  return wanted.map((label) => {
    const there = present.find((one) => sameLabel(one.name) === sameLabel(label.name));
    if (!there) return { label, change: "created" };
    const hasColor = label.color === undefined || label.color.toLowerCase() === there.color?.toLowerCase();
    const hasDescription = (label.description ?? "") === "" || label.description === there.description;
    return { label, change: hasColor && hasDescription ? "unchanged" : "updated" };
  });
}
