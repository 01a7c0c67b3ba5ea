import { type Criterion, numbered } from "./criterion.ts";
import type { Evaluation } from "./evaluation.ts";
import type { RunEvent } from "./events.ts";
import type { HistoryRecord } from "./records.ts";
import type { Task } from "./task.ts";

/** Stands for the command of a hidden check wherever a worker could read it. */
const HIDDEN_COMMAND = "(hidden)";

export function isHidden(criterion: Criterion): boolean {
  return criterion.type === "command" && criterion.hidden === true;
}

/** The numbers of the hidden checks. */
export function hiddenIds(criteria: readonly Criterion[]): ReadonlySet<number> {
  return new Set(numbered(criteria).flatMap(({ id, criterion }) => (isHidden(criterion) ? [id] : [])));
}

/** The task without its hidden commands, and what else would show them. The toolchain names the programs of all commands. */
export function publicTask(task: Task): Task {
  const { criteria } = task.configuration;
  if (!criteria.some(isHidden)) return task;
  const { toolchain: _, tools: __, checked_before: ___, ...rest } = task;
  return { ...rest, configuration: { ...task.configuration, criteria: criteria.map(publicCriterion) } };
}

export function publicCriterion(criterion: Criterion): Criterion {
  return criterion.type === "command" && criterion.hidden ? { ...criterion, command: HIDDEN_COMMAND } : criterion;
}

/** Whether the command of a hidden check is missing: only its public form is known. */
export function lacksHidden({ configuration }: Task): boolean {
  return configuration.criteria.some(
    (one) => one.type === "command" && one.hidden === true && one.command === HIDDEN_COMMAND,
  );
}

/** Gives a public form the hidden commands, and what else was left out, of the whole task. */
export function withHiddenCommands(task: Task, whole: Task): Task {
  const criteria = task.configuration.criteria.map((criterion, index) => {
    const known = whole.configuration.criteria[index];
    const isLacking = criterion.type === "command" && criterion.hidden && criterion.command === HIDDEN_COMMAND;
    return isLacking && known?.type === "command" && known.hidden
      ? { ...criterion, command: known.command }
      : criterion;
  });
  const { toolchain = whole.toolchain, checked_before = whole.checked_before } = task;
  const found = { ...(toolchain && { toolchain }), ...(checked_before && { checked_before }) };
  return { ...task, ...found, configuration: { ...task.configuration, criteria } };
}

/** A record without the output of hidden checks. */
export function publicRecord(record: HistoryRecord, hidden: ReadonlySet<number>): HistoryRecord {
  if (hidden.size === 0) return record;
  if (record.type === "judgment" || record.type === "proof")
    return { ...record, evaluations: withoutOutput(record.evaluations, hidden) };
  if (record.type !== "final_result" || !record.final_judgment) return record;
  const evaluations = withoutOutput(record.final_judgment.evaluations, hidden);
  return { ...record, final_judgment: { ...record.final_judgment, evaluations } };
}

/** An event without what hidden checks are and say. */
export function publicEvent(event: RunEvent, hidden: ReadonlySet<number>): RunEvent {
  if (hidden.size === 0) return event;
  switch (event.type) {
    case "run-start":
      return {
        ...event,
        criteria: event.criteria.map(publicCriterion),
        evaluations: withoutOutput(event.evaluations, hidden),
      };
    case "intake":
      return { ...event, criteria: event.criteria.map(publicCriterion) };
    case "check-end":
      return { ...event, evaluation: withoutOutput([event.evaluation], hidden)[0] ?? event.evaluation };
    case "proof":
      return { ...event, proof: { ...event.proof, evaluations: withoutOutput(event.proof.evaluations, hidden) } };
    default:
      return event;
  }
}

function withoutOutput(evaluations: readonly Evaluation[], hidden: ReadonlySet<number>): Evaluation[] {
  return evaluations.map((one) => {
    const { is_cut: _, ...rest } = one;
    return hidden.has(one.id) ? { ...rest, evidence: "" } : one;
  });
}

/** The output of a hidden check in one record. */
export interface HiddenOutput {
  type: HistoryRecord["type"];
  timestamp: string;
  id: number;
  evidence: string;
  is_cut?: boolean | undefined;
}

/** What `publicRecord` leaves out. */
export function hiddenOutputs(record: HistoryRecord, hidden: ReadonlySet<number>): HiddenOutput[] {
  const { type, timestamp } = record;
  const left = evaluationsIn(record).filter(({ id, evidence }) => hidden.has(id) && evidence !== "");
  return left.map(({ id, evidence, is_cut }) => ({ type, timestamp, id, evidence, ...(is_cut && { is_cut }) }));
}

/** Records with the outputs that were left out. */
export function withHiddenOutputs(records: HistoryRecord[], outputs: readonly HiddenOutput[]): HistoryRecord[] {
  if (outputs.length === 0) return records;
  const known = new Map(outputs.map((one) => [`${one.type} ${one.timestamp} ${one.id}`, one]));
  return records.map((record) => {
    const fill = (one: Evaluation): Evaluation => {
      const { evidence, is_cut } = known.get(`${record.type} ${record.timestamp} ${one.id}`) ?? {};
      return evidence === undefined ? one : { ...one, evidence, ...(is_cut && { is_cut }) };
    };
    if (record.type === "judgment" || record.type === "proof")
      return { ...record, evaluations: record.evaluations.map(fill) };
    if (record.type !== "final_result" || !record.final_judgment) return record;
    const { final_judgment } = record;
    return { ...record, final_judgment: { ...final_judgment, evaluations: final_judgment.evaluations.map(fill) } };
  });
}

function evaluationsIn(record: HistoryRecord): readonly Evaluation[] {
  if (record.type === "judgment" || record.type === "proof") return record.evaluations;
  return record.type === "final_result" ? (record.final_judgment?.evaluations ?? []) : [];
}
