import { E8Error } from "../../model/errors.ts";
import type { TrackedItem } from "../../model/issue.ts";
import { type Message, message, type Statement } from "../../model/message.ts";

/** `what`: a `tracker_act`. */
export function trackerFault(what: Message, problem: Statement, cause?: unknown): E8Error {
  return new E8Error("tracker_failed", { what, problem }, { cause });
}

/** The item, if it is of this kind: an issue and a pull request never have the same number. */
export function requireKind(item: TrackedItem, kind: TrackedItem["kind"]): TrackedItem {
  if (item.kind === kind) return item;
  const { number } = item;
  throw trackerFault(
    message("tracker_act", { act: "find", kind, number }),
    message("item_of_other_kind", { number, kind: item.kind }),
  );
}
