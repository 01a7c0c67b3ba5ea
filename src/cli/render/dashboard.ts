import type { RunEvent } from "../../model/events.ts";
import type { LoopResult } from "../../model/records.ts";
import type { TaskId } from "../../model/task.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { printable } from "./lines.ts";
import { progressLines } from "./progress.ts";
import { nextStep } from "./report.ts";

interface Standing {
  task: { task_id: TaskId };
  status: string;
  result: LoopResult | undefined;
}

/** A page says in the same words what the terminal says. */
export const dashboardWording = {
  lines: (event: RunEvent, texts: Texts): string[] =>
    progressLines(event, { texts, paint: (_, text) => text, verbose: true, level: "info" }).map(printable),
  next: ({ task, status, result }: Standing, texts: Texts): string | undefined => {
    if (status === "interrupted") return texts.report.goOn(task.task_id);
    return result && nextStep(result, texts);
  },
};
