import type { LoopResult } from "../../model/records.ts";
import type { WorkerRecord } from "../../model/workers.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import { localTime } from "./amounts.ts";
import { oneLine } from "./lines.ts";

/** Who takes over from whom, and why. */
export function workerChangeLine({ from, to, cause, until, reason }: WorkerRecord, texts: Texts): string {
  const { workers, language } = texts;
  const why = workers.cause[cause](from, to, until === undefined ? undefined : localTime(until));
  const said = reason === undefined ? "" : oneLine(teller(language)(reason), 160);
  return said === "" ? why : texts.labeled(why, said);
}

/** Who did how many iterations, where several may work. */
export function workersLine({ workers = [] }: LoopResult, texts: Texts): string[] {
  const each = workers.map(({ worker, iterations }) => texts.workers.did(worker, iterations));
  return each.length === 0 ? [] : [texts.labeled(texts.workers.label, each.join(texts.separator))];
}

/** A standstill that a stronger worker has not ended, either. */
export function escalationText({ stop_reason, escalated }: LoopResult, { workers }: Texts): string {
  return stop_reason === "stalled" && escalated ? workers.escalated(escalated.to, escalated.iteration) : "";
}
