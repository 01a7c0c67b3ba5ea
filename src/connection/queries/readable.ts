import { accessSync, constants, statSync } from "node:fs";
import { message, type Statement } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import { fileProblem } from "../stores/faults.ts";
import type { ReportNotice } from "../stores/json-lines.ts";

/** The files that can be read; the others are reported. DuckDB would give the whole query up for one of them. */
export function readable(files: readonly string[], report: ReportNotice): string[] {
  return files.filter((file) => {
    const problem = problemOf(file);
    if (problem !== undefined) report(notice("file_left_out", { file, problem }));
    return problem === undefined;
  });
}

function problemOf(file: string): Statement | undefined {
  try {
    const found = statSync(file);
    if (found.isDirectory()) return message("is_directory", {});
    if (!found.isFile()) return message("not_a_regular_file", {});
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return fileProblem(error);
  }
}
