import { overviewOf } from "../../compose/tasks.ts";
import type { HistoryRecord } from "../../model/records.ts";
import { evaluationLines } from "../render/evaluations.ts";
import { indented, oneLine } from "../render/lines.ts";
import { reportLines } from "../render/report.ts";
import type { Surroundings } from "../surroundings.ts";
import { statusText } from "./list.ts";

type Overview = Awaited<ReturnType<typeof overviewOf>>;

export async function showCommand(
  id: string,
  { project, json }: { project: string; json?: boolean },
  surroundings: Surroundings,
): Promise<void> {
  const { output } = surroundings;
  const overview = await overviewOf(project, id);
  const { task, status, spent, records } = overview;
  const lines = json
    ? [JSON.stringify({ ...task, status, usage: spent, records }, null, 2)]
    : [...taskLines(overview, surroundings), ...recordLines(overview, surroundings)];
  for (const line of lines) output.result(line);
}

function taskLines({ task, status }: Overview, { texts, output }: Surroundings): string[] {
  const { configuration, intake, answers } = task;
  return [
    output.paint("bold", `${task.task_id}  ${statusText(status, texts)}`),
    ...indented(configuration.task, "  "),
    ...(intake?.status === "accepted" && intake.task.trim() !== configuration.task.trim()
      ? indented(texts.refined(intake.task), "  ")
      : []),
    ...answers.flatMap(({ question, answer }) => [
      `  ${texts.show.question}: ${question}`,
      `  ${texts.show.answer}: ${answer}`,
    ]),
    ...criteriaLines(task, texts),
  ];
}

function criteriaLines({ configuration, intake }: Overview["task"], texts: Surroundings["texts"]): string[] {
  const refined = intake?.status === "accepted" ? intake.criteria.values() : [].values();
  return configuration.criteria.flatMap((criterion, index) => {
    if (criterion.type === "command") {
      const { description, command } = criterion;
      return [`  ${index + 1}. ${description ? `${description}: ` : ""}\`${command}\``];
    }
    const sharper = refined.next().value as string | undefined;
    const isChanged = sharper !== undefined && sharper.trim() !== criterion.text;
    return [`  ${index + 1}. ${criterion.text}`, ...(isChanged ? [`     ${texts.refined(sharper)}`] : [])];
  });
}

function recordLines({ records }: Overview, surroundings: Surroundings): string[] {
  if (records.length === 0) return [surroundings.texts.show.noRecords];
  return records.flatMap((record) => linesOf(record, surroundings));
}

function linesOf(record: HistoryRecord, { texts, output }: Surroundings): string[] {
  const { paint } = output;
  switch (record.type) {
    case "summary":
      return [
        paint("bold", `${texts.show.iteration} ${record.iteration}  ${record.timestamp}`),
        `  ${texts.worked(record.result, oneLine(record.approach, 160))}`,
        ...indented(oneLine(record.reason, 600), "    "),
      ];
    case "judgment":
      return evaluationLines(record.evaluations, { texts, paint, evidence: "unmet" });
    case "final_result":
      return ["", ...reportLines(record, texts, paint)];
  }
}
