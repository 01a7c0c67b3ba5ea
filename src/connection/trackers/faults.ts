import { E8Error } from "../../model/errors.ts";
import type { Statement, Words } from "../../model/statement.ts";
import type { TrackedItem } from "../ports/tracker.ts";

export function trackerFault(what: Words, problem: Statement, cause?: unknown): E8Error {
  return new E8Error("tracker_failed", { what, problem }, { cause });
}

export const CANCELLED: Words = { en: "it was cancelled", ja: "キャンセルされました" };

type Kind = TrackedItem["kind"];

/** What a tracker is asked to do: in English after "could not", in Japanese as a noun. */
export const acts = {
  read: (kind: Kind, number: number) => act(named(kind, number), { en: "read", ja: "の読み取り" }),
  find: (kind: Kind, number: number) => act(named(kind, number), { en: "find", ja: "の検索" }),
  close: (kind: Kind, number: number) => act(named(kind, number), { en: "close", ja: "を閉じる操作" }),
  label: (number: number) => act(either(number), { en: "label", ja: "のラベルの変更" }),
};

export function refuseOtherKind(item: TrackedItem, kind: Kind): TrackedItem {
  if (item.kind === kind) return item;
  const { number } = item;
  const problem =
    item.kind === "issue"
      ? { en: `#${number} is an issue`, ja: `#${number} はイシューです` }
      : { en: `#${number} is a pull request`, ja: `#${number} はプルリクエストです` };
  throw trackerFault(acts.find(kind, number), problem);
}

const kinds: Record<Kind, Words> = {
  issue: { en: "issue", ja: "イシュー" },
  pr: { en: "pull request", ja: "プルリクエスト" },
};

function named(kind: Kind, number: number): Words {
  return { en: `${kinds[kind].en} #${number}`, ja: `${kinds[kind].ja} #${number} ` };
}

function either(number: number): Words {
  return { en: `#${number}`, ja: `#${number} ` };
}

function act(object: Words, verb: Words): Words {
  return { en: `${verb.en} ${object.en}`, ja: `${object.ja}${verb.ja}` };
}
