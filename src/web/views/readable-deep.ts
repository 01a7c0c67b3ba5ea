import type { Readable } from "../../model/dashboard.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Language } from "../../model/language.ts";
import type { Message } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { HistoryRecord } from "../../model/records.ts";
import { readableEvent, readableRecord } from "../../texts/readable.ts";
import { isNotice, noticeText } from "../../texts/sentences.ts";
import { teller } from "../../texts/tell.ts";

/** An event whose statements are texts. */
export function eventAsTold(event: RunEvent, language: Language): Readable<RunEvent> {
  return told(readableEvent(event, language), language);
}

/** A record whose statements are texts. */
export function recordAsTold<R extends HistoryRecord>(record: R, language: Language): Readable<R> {
  return told(readableRecord(record, language) as R, language);
}

/** Turns every statement in a value into a text. */
export function told<T>(value: T, language: Language): Readable<T> {
  return toldIn(value, language) as Readable<T>;
}

function toldIn(value: unknown, language: Language): unknown {
  if (Array.isArray(value)) return value.map((one) => toldIn(one, language));
  if (typeof value !== "object" || value === null) return value;
  if (isFact(value)) return isNotice(value) ? noticeText(value, language) : teller(language)(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toldIn(one, language)]));
}

function isFact(value: object): value is Message | Notice {
  const { code, params } = value as { code?: unknown; params?: unknown };
  const isPair = typeof code === "string" && typeof params === "object" && params !== null;
  return isPair && Object.keys(value).length === 2;
}
