import { E8Error } from "../../model/errors.ts";
import type { TrackedItem } from "../ports.ts";

export function trackerFault(what: string, problem: string, cause?: unknown): E8Error {
  return new E8Error("tracker_failed", { what, problem }, { cause });
}

const kindNames: Record<TrackedItem["kind"], string> = { issue: "issue", pr: "pull request" };

export function nameOf(kind: TrackedItem["kind"], number: number): string {
  return `${kindNames[kind]} #${number}`;
}

export function refuseOtherKind(item: TrackedItem, kind: TrackedItem["kind"]): TrackedItem {
  if (item.kind === kind) return item;
  const what = item.kind === "issue" ? "an issue" : "a pull request";
  throw trackerFault(`find ${nameOf(kind, item.number)}`, `#${item.number} is ${what}`);
}
