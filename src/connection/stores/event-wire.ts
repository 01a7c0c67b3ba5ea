import type { Evaluation } from "../../model/evaluation.ts";
import { EventEnvelope, type RunEvent, WIRE_VERSION } from "../../model/events.ts";
import { publicEvent } from "../../model/hidden.ts";
import { isRecord, jsonIn } from "../../model/json.ts";
import type { HistoryRecord } from "../../model/records.ts";
import type { TaskId } from "../../model/task.ts";

/** Beyond so many bytes, a store keeps only a run's progress, no longer what agents say and do. */
export const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST_TEXT = 2_000;

export function envelopeOf(task_id: TaskId, seq: number, event: RunEvent): EventEnvelope {
  return { v: WIRE_VERSION, task_id, seq, at: new Date().toISOString(), event };
}

/** The stored form of an envelope: bounded, and without what hidden checks are and say. */
export function storedEnvelope(envelope: EventEnvelope, hidden: ReadonlySet<number>): object {
  return { ...envelope, event: bounded(publicEvent(envelope.event, hidden)) };
}

/** What a very long run leaves out. */
export function isChatter({ type }: RunEvent): boolean {
  return CHATTER.has(type);
}

const CHATTER: ReadonlySet<RunEvent["type"]> = new Set(["text", "tool-call", "usage", "spent"]);

/** The stored form of an event: records become references to the history, long texts are cut. */
function bounded(event: RunEvent): object {
  switch (event.type) {
    case "text":
    case "note":
      return event.text.length <= LONGEST_TEXT
        ? event
        : { ...event, text: wholeCharacters(event.text.slice(0, LONGEST_TEXT)), cut_from: event.text.length };
    case "summary":
      return { type: event.type, record: event.summary.timestamp };
    case "judgment":
      return { type: event.type, record: event.judgment.timestamp };
    case "run-end":
      return { type: event.type, record: event.result.timestamp, ...(event.thrown && { thrown: event.thrown }) };
    case "check-end":
      return { ...event, evaluation: shortened(event.evaluation) };
    case "run-start":
      return { ...event, evaluations: event.evaluations.map(shortened) };
    default:
      return event;
  }
}

function shortened(evaluation: Evaluation): Evaluation {
  const { evidence } = evaluation;
  if (evidence.length <= LONGEST_TEXT) return evaluation;
  return { ...evaluation, evidence: wholeCharacters(evidence.slice(-LONGEST_TEXT)), is_cut: true };
}

/** Drops half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** The number and type of a stored line, without parsing it. Either may be unknown. */
export function lineFacts(line: string): { seq?: number | undefined; type?: string | undefined } {
  const [, seq, type] = FACTS.exec(line) ?? [];
  return { seq: seq === undefined ? undefined : Number(seq), type };
}

/** As `envelopeOf` orders the keys. */
const FACTS = /^\{"v":\d+,"task_id":"[^"]*","seq":(\d+),"at":"[^"]*","event":\{"type":"([^"]*)"/;

/** The record of a type and time. */
type FindRecord = (type: HistoryRecord["type"], time: string) => Promise<HistoryRecord | undefined>;

/** The envelope of a stored line, with the record that it refers to. Undefined for a line of a later version. */
export async function envelopeIn(line: string, find: FindRecord): Promise<EventEnvelope | undefined> {
  const stored = jsonIn(line);
  if (!isRecord(stored) || !isRecord(stored.event)) return undefined;
  const { event } = stored;
  const whole = typeof event.record === "string" ? await withRecord(event, event.record, find) : event;
  return EventEnvelope.safeParse({ ...stored, event: whole }).data;
}

const RECORD_OF: Readonly<Record<string, { type: HistoryRecord["type"]; key: string }>> = {
  summary: { type: "summary", key: "summary" },
  judgment: { type: "judgment", key: "judgment" },
  "run-end": { type: "final_result", key: "result" },
};

async function withRecord(event: Record<string, unknown>, time: string, find: FindRecord): Promise<object> {
  const { type, key } = RECORD_OF[String(event.type)] ?? {};
  return type === undefined || key === undefined ? event : { ...event, [key]: await find(type, time) };
}
