import type { TaskRow, TaskView } from "../../model/dashboard.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { EffectRecord, HistoryRecord } from "../../model/records.ts";
import { addUsage, NOTHING_SPENT, Spender, type Spending, type Usage } from "../../model/usage.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { Past } from "../parts.ts";
import { flowGraph } from "./flow-graph.ts";
import { criterionRows } from "./matrix.ts";
import { recordAsTold } from "./readable-deep.ts";
import { timeline, type Work } from "./timeline.ts";

export interface TaskParts extends Pick<Work, "totals" | "events"> {
  row: TaskRow;
  past: Past;
  definition: FlowDefinition | undefined;
  next: string | undefined;
}

/** All that a run's page shows when it opens. */
export function taskView({ row, past, definition, next, totals, events }: TaskParts, texts: Texts): TaskView {
  const { task, records, spending, result, notes } = past;
  const { configuration, intake, answers } = task;
  const proof = records.findLast((record) => record.type === "proof");
  const refined = intake?.status === "accepted" ? intake.task.trim() : "";
  return {
    ...row,
    task: configuration.task,
    ...(refined !== "" && refined !== configuration.task.trim() && { refined_task: refined }),
    notes: notes.map(({ text, given_at }) => ({ text, given_at })),
    questions: intake?.status === "needs_clarification" ? intake.clarification_questions : [],
    answers: answers.map(({ question, answer }) => ({ question, answer })),
    rows: criterionRows(task, records, texts),
    timeline: timeline({ records, spending, totals, events }, texts),
    usage_by_role: usageByRole(spending),
    budget: limitsIn(configuration.budget),
    ...(proof && { proof: recordAsTold(proof, texts.language) }),
    ...(result && { result: recordAsTold(result, texts.language) }),
    effects: effectsIn(records, texts),
    ...(definition && { flow: flowGraph(definition, events) }),
    ...(next !== undefined && { next }),
    seq: events.at(-1)?.seq ?? 0,
  };
}

function limitsIn(budget: Past["task"]["configuration"]["budget"]): TaskView["budget"] {
  return Object.fromEntries(Object.entries(budget).filter(([, limit]) => limit !== null));
}

function usageByRole(spending: readonly Spending[]): TaskView["usage_by_role"] {
  const entries = Spender.options.flatMap((spender): [Spender, Usage][] => {
    const own = spending.filter((one) => one.spender === spender);
    return own.length === 0 ? [] : [[spender, own.reduce<Usage>(addUsage, NOTHING_SPENT)]];
  });
  return Object.fromEntries(entries);
}

/** How far each change outside the workspace has come. */
function effectsIn(records: readonly HistoryRecord[], { language }: Texts): TaskView["effects"] {
  const tell = teller(language);
  const effects = new Map<string, EffectRecord>();
  for (const record of records) if (record.type === "effect") effects.set(record.key, record);
  return [...effects.values()].map(({ what, stage, problem, timestamp }) => ({
    what: tell(what),
    stage,
    ...(problem && { problem: tell(problem) }),
    at: timestamp,
  }));
}
