import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReportData } from "../../model/dashboard.ts";
import { E8Error } from "../../model/errors.ts";
import { PAGE } from "../page-files.ts";

/** What dashboard/single-file.ts has left open. */
const PLACE = '<script type="application/json" id="report"></script>';

/** One file: the page with its data in it. It asks for nothing else, and its policy would not let it. */
export async function reportPage(data: ReportData): Promise<string> {
  const path = join(PAGE, "report.html");
  const page = await readFile(path, "utf8").catch(() => {
    throw new E8Error("dashboard_unbuilt", { path });
  });
  const [before, after] = page.split(PLACE);
  if (before === undefined || after === undefined) throw new E8Error("dashboard_unbuilt", { path });
  return `${before}<script type="application/json" id="report">${inMarkup(data)}</script>${after}`;
}

/** JSON in which no sign ends the element or begins another. */
function inMarkup(data: ReportData): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
