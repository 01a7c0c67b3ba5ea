import type { E8Error, ErrorCode } from "../model/errors.ts";
import type { Finding } from "../model/findings.ts";
import type { Language } from "../model/language.ts";
import type { MessageCode, Statement } from "../model/message.ts";
import type { Notice, NoticeCode } from "../model/notices.ts";
import { enErrors } from "./en/errors.ts";
import { enFindings } from "./en/findings.ts";
import { enNotices } from "./en/notices.ts";
import { jaErrors } from "./ja/errors.ts";
import { jaFindings } from "./ja/findings.ts";
import { jaNotices } from "./ja/notices.ts";
import { type ErrorText, type ErrorTexts, type FindingTexts, filledIn, type NoticeTexts } from "./message-texts.ts";
import { teller } from "./tell.ts";

const errors: Record<Language, ErrorTexts> = { en: enErrors, ja: jaErrors };
const notices: Record<Language, NoticeTexts> = { en: enNotices, ja: jaNotices };
const findings: Record<Language, FindingTexts> = { en: enFindings, ja: jaFindings };

type ErrorFacts = Pick<E8Error, "code" | "details">;

/** What is wrong, and what to do about it. */
export function errorText({ code, details }: ErrorFacts, language: Language): ErrorText {
  const [message, hint] = filledIn(errors[language][code], details, teller(language));
  return { message, hint };
}

/** The text of an error in a record. Undefined for a code of another version. */
export function storedErrorText(code: string, details: object | null, language: Language): ErrorText | undefined {
  if (!Object.hasOwn(enErrors, code)) return undefined;
  return errorText({ code: code as ErrorCode, details: (details ?? {}) as E8Error["details"] }, language);
}

/** Notices and statements have no code in common. */
export function isNotice(fact: Notice | Statement): fact is Notice {
  return typeof fact === "object" && "code" in fact && Object.hasOwn(enNotices, fact.code);
}

/** A code of a later version is shown with its values. */
export function noticeText({ code, params }: Notice, language: Language): string {
  if (!Object.hasOwn(enNotices, code)) return unknown(code, params);
  return filledIn(notices[language][code], params, teller(language));
}

export function findingText({ code, details }: Finding, language: Language): Partial<ErrorText> & { message: string } {
  const [message, hint] = filledIn(findings[language][code], details, teller(language));
  return { message, ...(hint && { hint }) };
}

function unknown(code: string, params: object): string {
  return `${code} ${JSON.stringify(params)}`;
}

/** Does not compile where a message and a notice have the same code. */
true satisfies NoticeCode & MessageCode extends never ? true : false;
