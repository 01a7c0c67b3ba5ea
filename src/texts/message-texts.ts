import type { ErrorParams } from "../model/errors.ts";
import type { FindingParams } from "../model/findings.ts";
import type { Language } from "../model/language.ts";
import type { LeafChange } from "../model/leaf-changes.ts";
import type { Statement } from "../model/message.ts";
import type { NoticeParams } from "../model/notices.ts";
import { asTyped } from "../model/shell-quotes.ts";

/** Says a statement inside another one, in the same language. */
export type Tell = (statement: Statement) => string;

/** Made of a code's params, or the same for all of them. */
type Text<P, T> = T | ((params: P, tell: Tell) => T);

/** Both languages side by side, so that a missing one does not compile. */
export type BothTexts<M, T> = { readonly [C in keyof M]: Readonly<Record<Language, Text<M[C], T>>> };

/** The sentences of one area. A single function serves both languages. */
export type MessageTexts<M> = {
  readonly [C in keyof M]: ((params: M[C], tell: Tell) => string) | Readonly<Record<Language, Text<M[C], string>>>;
};

/** The sentences for codes in one language; each language has a file of them. */
type Texts<M, T> = { readonly [C in keyof M]: Text<M[C], T> };

export type ErrorTexts = Texts<ErrorParams, readonly [message: string, hint: string]>;
export type NoticeTexts = Texts<NoticeParams, string>;
/** Without a hint where nothing needs to be done. */
export type FindingTexts = Texts<FindingParams, readonly [message: string, hint?: string]>;

/** The text for params whose type is known by their code only. */
export function filledIn<T>(text: Text<never, T>, params: object, tell: Tell): T {
  return typeof text === "function" ? (text as (params: object, tell: Tell) => T)(params, tell) : text;
}

/** What is wrong, and what to do about it. */
export interface ErrorText {
  message: string;
  hint: string;
}

/** A number of things in English: `1 turn`, `2 turns`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** What was changed, a line each: `  criteria[1].command: "npm test" → "true"`. */
export function changeLines(changes: readonly LeafChange[], more: (count: number) => string): string {
  const lines = changes.slice(0, CHANGES_SHOWN).map(({ path, before, after }) => {
    const name = path.replace(/^configuration\./, "");
    return `\n  ${name}: ${before ?? "–"} → ${after ?? "–"}`;
  });
  const left = changes.length - lines.length;
  return [...lines, ...(left > 0 ? [`\n  ${more(left)}`] : [])].join("");
}

const CHANGES_SHOWN = 8;

/** The command that cancels a task, of another project where one is given. */
export function cancelling({ id, project }: ErrorParams["place_taken"]): string {
  return `e8 cancel ${id}${project === undefined ? "" : ` --project ${asTyped(project)}`}`;
}

const CANDIDATES_SHOWN = 10;

/** A line a task, the latest last. */
export function candidateLines(
  candidates: ErrorParams["task_ambiguous"]["candidates"],
  more: (count: number) => string,
): string {
  const left = Math.max(0, candidates.length - CANDIDATES_SHOWN);
  const lines = candidates.slice(left).map(({ id, task }) => `  ${id}  ${task}`);
  return [...(left > 0 ? [`  ${more(left)}`] : []), ...lines].join("\n");
}

/** A line for each item: `  1. first`. */
export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `  ${index + 1}. ${item}`).join("\n");
}
