import { sameLabel } from "../../model/issue.ts";
import type { LabelChange } from "../ports/tracker.ts";

/** The labels that a change really adds, and those that it removes, as they are written there. */
export function changedLabels(
  present: readonly string[],
  { add, remove }: LabelChange,
): { added: string[]; removed: string[] } {
  const has = (labels: readonly string[], one: string) => labels.some((label) => sameLabel(label) === sameLabel(one));
  const added = add.filter((label, index) => !has(present, label) && !has(add.slice(0, index), label));
  return { added, removed: present.filter((label) => has(remove, label)) };
}
