import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { findTask } from "../../compose/looking-back.ts";
import { readReport } from "../../web/report/report-data.ts";
import { reportPage } from "../../web/report/report-page.ts";
import { type CliContext, writeResult } from "../output.ts";
import { dashboardWording } from "../render/dashboard.ts";
import { reportMarkdown } from "../render/report-markdown.ts";

interface ReportFlags {
  project: string;
  output?: string;
  md?: boolean;
}

/** Writes a run as one file that stands alone, or as a comment. */
export async function reportCommand(
  given: string | undefined,
  { project, output: file, md = false }: ReportFlags,
  { texts, output }: CliContext,
): Promise<void> {
  const id = await findTask(project, given);
  const asked = { directory: project, id, project: basename(project) };
  const data = await readReport(asked, dashboardWording, texts);
  const text = md ? reportMarkdown(data, texts) : await reportPage(data);
  const place = file ?? (md ? "-" : `run-${id}.html`);
  if (place === "-") {
    await writeResult(text);
    return;
  }
  await writeFile(place, text);
  output.progress(texts.reportFile.written(place));
}
