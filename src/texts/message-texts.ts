import type { E8Error, ErrorCode, ErrorParams } from "../model/errors.ts";
import type { FindingParams } from "../model/findings.ts";
import type { Language } from "../model/language.ts";
import type { Statement } from "../model/message.ts";
import type { NoticeParams } from "../model/notices.ts";

/** Says a statement inside another one, in the same language. */
export type Tell = (statement: Statement) => string;

/** The sentences of one area, both languages side by side: a missing one does not compile. */
export type MessageTexts<M> = { [C in keyof M]: Readonly<Record<Language, (params: M[C], tell: Tell) => string>> };

/** The sentences for codes in one language; each language has a file of them. */
type Texts<M, T> = { readonly [C in keyof M]: (params: M[C], tell: Tell) => T };

/** What is wrong, and what to do about it. */
export interface ErrorText {
  message: string;
  hint: string;
}

export interface FindingText {
  message: string;
  /** Absent where nothing needs to be done. */
  hint?: string;
}

export type ErrorTexts = Texts<ErrorParams, ErrorText>;
export type NoticeTexts = Texts<NoticeParams, string>;
export type FindingTexts = Texts<FindingParams, FindingText>;

export function textOfError(
  { code, details }: Pick<E8Error, "code" | "details">,
  texts: ErrorTexts,
  tell: Tell,
): ErrorText {
  return (texts[code] as (details: ErrorParams[ErrorCode], tell: Tell) => ErrorText)(details, tell);
}

/** A number of things in English: `1 turn`, `2 turns`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

export type LostRecords = "all" | "history" | "knowledge" | "spending";

/** Which of a task's records are gone: the hint depends on it. */
export function lostRecords({ path, all }: ErrorParams["records_lost"]): LostRecords {
  if (all) return "all";
  return (["knowledge", "spending"] as const).find((name) => path.endsWith(`${name}.jsonl`)) ?? "history";
}
