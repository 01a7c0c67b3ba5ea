import { type StandingTask, standingOf } from "../../compose/status.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { CliContext } from "../output.ts";
import { compact, costWords, localClock, tokenWords } from "../render/amounts.ts";
import { tableOrBlocks } from "../render/columns.ts";
import { oneLine } from "../render/lines.ts";

export async function statusCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const tasks = await standingOf(project);
  if (json) return output.json(tasks);
  if (tasks.length === 0) return output.progress(texts.backlog.nothingRuns);
  const rows = tasks.map((task) => row(task, texts));
  for (const line of tableOrBlocks(texts.backlog.statusColumns, rows, output.paint)) output.result(line);
}

function row(task: StandingTask, texts: Texts): string[] {
  const { task_id = "", issue, iterations, met, criteria, tokens, title } = task;
  const spent =
    tokens > 0 || task.unknown ? [tokenWords(task, texts, compact), ...costWords(task, texts)].join(" ") : "";
  const number = issue === undefined ? "" : String(issue);
  const counts = criteria > 0 ? [String(iterations), `${met}/${criteria}`] : ["", ""];
  return [task_id, number, stateWords(task, texts), ...counts, spent, oneLine(title, 60)];
}

function stateWords({ doing, until, problem }: StandingTask, { backlog, language }: Texts): string {
  if (doing === "parked") return `${backlog.state.parked}: ${oneLine(teller(language)(problem ?? ""), 300)}`;
  return until === undefined
    ? backlog.doing[doing]
    : `${backlog.doing[doing]} ${backlog.until(localClock(new Date(until)))}`;
}
