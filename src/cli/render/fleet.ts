import { E8Error, type ErrorCode, type ErrorParams } from "../../model/errors.ts";
import type { WorkerEvent } from "../../model/fleet.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { errorText } from "../../texts/sentences.ts";
import { TOLD_OF_MANY } from "./backlog.ts";
import { type ProgressStyle, progressLines } from "./progress.ts";

/** What a worker says to people; what is about a task begins with its id. */
export function workerLines(event: WorkerEvent, style: ProgressStyle): string[] {
  const { texts, paint } = style;
  const { worker } = texts;
  switch (event.type) {
    case "worker-start":
      return [worker.joined(event.name, event.slots, event.projects.join(", "), event.labels.join(", "))];
    case "draining":
      return [worker.draining(event.tasks)];
    case "store-away":
      return [paint("yellow", worker.away(faultWords(event, texts)))];
    case "store-back":
      return [worker.back];
    case "worker-end":
      return [worker.left(event.tasks)];
    default:
      return taskLines(event, style).map((line) => `${paint("cyan", event.task_id)} ${line.trimStart()}`);
  }
}

function taskLines(event: Extract<WorkerEvent, { task_id: string }>, style: ProgressStyle): string[] {
  const { texts, paint } = style;
  const { worker } = texts;
  switch (event.type) {
    case "task-taken":
      return [paint("bold", worker.taken)];
    case "run":
      return TOLD_OF_MANY.has(event.envelope.event.type) ? progressLines(event.envelope.event, style) : [];
    case "task-end":
      return [worker.ended(texts.status[event.status])];
    case "task-handed-back":
      return [worker.handedBack];
    case "task-lost":
      return [paint("yellow", worker.lost)];
    case "task-postponed":
      return [paint("yellow", worker.postponed(faultWords(event, texts), event.seconds))];
    case "task-failed":
      return [paint("red", worker.failed(faultWords(event, texts)))];
  }
}

/** Why a task cannot run, or the database cannot be reached. */
export function faultWords(
  { error_code, error_details }: { error_code: string; error_details: object },
  texts: Texts,
): string {
  const fault = new E8Error(error_code as ErrorCode, error_details as ErrorParams[ErrorCode]);
  return errorText(fault, texts.language).message;
}
