import process from "node:process";
import { findTask, readPast } from "../../compose/looking-back.ts";
import { iterationTotals } from "../../compose/snapshots.ts";
import { type Check, criterionText, isCheck, refined } from "../../model/criterion.ts";
import type { Language } from "../../model/language.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import type { JudgmentRecord } from "../../model/records.ts";
import { judgmentsIn } from "../../model/refuted.ts";
import { addUsage, NOTHING_SPENT, Spender, type Usage } from "../../model/usage.ts";
import { readableRecord } from "../../texts/readable.ts";
import type { CliContext } from "../output.ts";
import { questionLines } from "../questions.ts";
import { costWords, duration, tokenWords } from "../render/amounts.ts";
import { displayWidth, table, terminalWidth } from "../render/columns.ts";
import { criterionName } from "../render/evaluations.ts";
import { indented, oneLine, printable } from "../render/lines.ts";
import { type MatrixRow, matrix } from "../render/matrix.ts";
import { proofInFull, proofOutcomeLines, unprovedInFull } from "../render/proof.ts";
import { type ReportStyle, reportLines } from "../render/report.ts";
import { timelineLines } from "../render/timeline.ts";
import { doubtText, givenParameters, statusText } from "./list.ts";

type Past = Awaited<ReturnType<typeof readPast>>;
type ShownPast = Past & { totals: Awaited<ReturnType<typeof iterationTotals>> };

export async function showCommand(
  id: string | undefined,
  { project, json, proof }: { project: string; json?: boolean; proof?: boolean },
  context: CliContext,
): Promise<void> {
  const past = await readPast(project, await findTask(project, id));
  if (proof) return showProof(past, json ?? false, context);
  const totals = await iterationTotals(past);
  if (json) context.output.json({ ...pastAsJson(past, context.texts.language), changes_by_iteration: totals });
  else context.output.page(pastLines({ ...past, totals }, context));
}

/** How the last verdict was reached, whether the claim held or not. */
function showProof({ records, result }: Past, asJson: boolean, { output, texts }: CliContext): void {
  const proof = records.findLast((record) => record.type === "proof");
  const unproved = { proof: result?.proof ?? null, ...(result?.unproved && { unproved: result.unproved }) };
  if (asJson && proof) output.json(readableRecord(proof, texts.language));
  else if (asJson) output.json({ ...unproved.proof, ...(unproved.unproved && { unproved: unproved.unproved }) });
  else if (proof)
    output.page([...proofInFull(proof, texts), ...proofOutcomeLines(proof, { texts, paint: output.paint })]);
  else output.page(unprovedInFull(unproved, texts));
}

function pastAsJson(past: Past, language: Language): object {
  const { task: whole, status, origin, spent, records, notes } = past;
  const { baseline: _, flow: agent, ...task } = whole; // the baseline has a digest for each of perhaps thousands of files
  return {
    ...task,
    agent,
    status,
    origin,
    usage: spent,
    usage_by_role: Object.fromEntries(spentByRole(past)),
    files_modified: filesChanged(past),
    notes_waiting: notes,
    changed_files: past.result?.changed_files ?? [],
    records: records.map((record) => readableRecord(record, language)),
  };
}

function pastLines(past: ShownPast, context: CliContext): string[] {
  const { texts } = context;
  const lines = [...taskLines(past, context), ...noteLines(past, context)];
  const isCutOff = past.status === "interrupted";
  const next = isCutOff ? [texts.labeled(texts.nextStep, texts.report.goOn(past.task.task_id))] : [];
  if (past.records.length === 0) return [...lines, texts.show.noRecords, ...next];
  return [
    ...lines,
    ...titled(texts.show.criteria, matrixLines(past, context), context),
    ...titled(texts.show.timeline, timelineLines(past, context), context),
    ...spendingLines(past, context),
    ...(past.result?.change_totals ? [] : fileLines(past, context)), // the report has them
    ...(past.result && !isCutOff ? ["", ...reportLines(past.result, reportStyle(past, context))] : []),
    ...(isCutOff ? ["", ...next] : []),
  ];
}

function reportStyle({ task }: Past, { texts, output }: CliContext): ReportStyle {
  return { texts, paint: output.paint, project: task.project, from: process.cwd(), files: FILES_SHOWN };
}

function titled(title: string, lines: readonly string[], { output }: CliContext): string[] {
  return lines.length === 0 ? [] : ["", output.paint("bold", title), ...lines];
}

function taskLines({ task, status, origin }: Past, { texts, output }: CliContext): string[] {
  const { configuration, intake, answers, flow: agent } = task;
  const sharper = intake?.status === "accepted" ? intake.task.trim() : "";
  const note = intake?.validation_notes?.trim();
  return [
    output.paint(
      "bold",
      `${task.task_id}  ${doubtText({ task, origin }, new Date(), texts) ?? statusText(status, texts)}${agent ? `  ${agent.name}` : ""}`,
    ),
    ...[
      ...indented(configuration.task, "  "),
      ...(agent ? givenParameters(agent) : []).flatMap(([name, value]) => indented(`${name}: ${value}`, "  ")),
      ...(sharper && sharper !== configuration.task.trim() ? indented(texts.refined(sharper), "  ") : []),
      ...(note ? indented(texts.intakeNote(note), "  ") : []),
      ...answers.flatMap(({ question, answer }) => [
        `  ${texts.labeled(texts.show.question, question)}`,
        `  ${texts.labeled(texts.show.answer, answer)}`,
      ]),
      ...criteriaLines(task, texts),
    ].map(printable),
    ...(status === "clarification_needed" && intake?.status === "needs_clarification"
      ? ["", ...intake.clarification_questions.flatMap(questionLines)]
      : []),
  ];
}

/** What no worker has been told yet. */
function noteLines({ notes }: Past, context: CliContext): string[] {
  const lines = notes.map(({ text }) => `  ✎ ${oneLine(text, NOTE_LENGTH)}`);
  return titled(context.texts.show.notes, lines, context);
}

const NOTE_LENGTH = 600;

function criteriaLines({ configuration, intake }: Past["task"], texts: CliContext["texts"]): string[] {
  const { criteria } = configuration;
  const sharper = refined(criteria, intake?.status === "accepted" ? intake.criteria : []).map(criterionText);
  return criteria.flatMap((criterion, index) => {
    if (isCheck(criterion)) {
      const { description } = criterion;
      const rule = criterion.type === "command" ? `\`${criterion.command}\`` : ruleOf(criterion, texts);
      return [`  ${index + 1}. ${description ? texts.labeled(description, rule) : rule}`];
    }
    const said = sharper[index] ?? criterion.text;
    return [`  ${index + 1}. ${criterion.text}`, ...(said === criterion.text ? [] : [`     ${texts.refined(said)}`])];
  });
}

function ruleOf(check: Check, { check: { unchanged } }: CliContext["texts"]): string {
  return check.type === "command" ? check.command : unchanged(check.files.join(", "));
}

function matrixLines({ task, records }: Past, { texts, output }: CliContext): string[] {
  const judgments = judgmentsIn(records);
  const rows = matrixRows(task, judgments, texts);
  if (rows.length === 0 || judgments.length === 0) return [];
  const { lines, left_out } = matrix(rows, judgments, { width: terminalWidth(), paint: output.paint });
  return [...lines, ...(left_out > 0 ? [`  ${texts.show.earlierLeftOut(left_out)}`] : [])];
}

/** An agent made of steps has no criteria of its own: what was evaluated stands for them. */
function matrixRows(
  { configuration }: Past["task"],
  judgments: readonly JudgmentRecord[],
  texts: CliContext["texts"],
): MatrixRow[] {
  const given = configuration.criteria.map((one, index) => ({
    id: index + 1,
    criterion: isCheck(one) ? (one.description ?? ruleOf(one, texts)) : one.text,
  }));
  if (given.length > 0) return given;
  const evaluated = judgments.flatMap(({ evaluations }) =>
    evaluations.map((one) => ({ id: one.id, criterion: criterionName(one, texts) })),
  );
  return [...new Map(evaluated.map((row) => [row.id, row])).values()].sort((left, right) => left.id - right.id);
}

function spentByRole({ spending }: Past): [Spender, Usage][] {
  return Spender.options.flatMap((spender): [Spender, Usage][] => {
    const own = spending.filter((one) => one.spender === spender);
    return own.length === 0 ? [] : [[spender, own.reduce<Usage>(addUsage, NOTHING_SPENT)]];
  });
}

function spendingLines(past: Past, { texts, output }: CliContext): string[] {
  const rows = spentByRole(past).map(([spender, spent]) => [
    texts.spender[spender],
    tokenWords(spent, texts),
    costWords(spent, texts)[0] ?? "-",
    duration(spent.seconds, texts.units),
  ]);
  if (rows.length === 0) return [];
  const [head = "", ...lines] = table([texts.show.spending, ...rows]);
  const widest = Math.max(...[head, ...lines].map(displayWidth));
  if (widest <= terminalWidth()) return ["", output.paint("bold", head), ...lines];
  const [title = "", tokens = "", ...others] = texts.show.spending;
  const labels = [tokens, ...others];
  const block = ([name = "", ...cells]: readonly string[]) => [
    name,
    `  ${cells.map((cell, index) => `${labels[index]} ${cell}`).join("  ")}`,
  ];
  return ["", output.paint("bold", title), ...rows.flatMap(block)];
}

function filesChanged({ records }: Past): string[] {
  return [
    ...new Set(records.flatMap((record) => (record.type === "summary" ? record.metadata.files_modified : []))),
  ].sort();
}

const FILES_SHOWN = 50;

function fileLines(past: Past, context: CliContext): string[] {
  const files = filesChanged(past);
  if (files.length === 0) return [];
  const { show } = context.texts;
  const isCut = past.records.some(namesAsManyAsItMay);
  const hidden = files.length - FILES_SHOWN;
  const more = isCut ? show.moreFilesAtLeast(hidden, MOST_LISTED) : show.moreFiles(hidden);
  const lines = files.slice(0, FILES_SHOWN).map((path) => `  ${oneLine(path)}`);
  const title = isCut ? show.filesAtLeast(files.length) : show.files(files.length);
  return titled(title, hidden > 0 ? [...lines, `  ${more}`] : lines, context);
}

function namesAsManyAsItMay(record: Past["records"][number]): boolean {
  return record.type === "summary" && record.metadata.files_modified.length >= MOST_LISTED;
}
