import { accessSync, constants, statSync } from "node:fs";
import { notice } from "../../model/notices.ts";
import type { Statement } from "../../model/statement.ts";
import type { ReportNotice } from "../ports/task-store.ts";
import { IS_DIRECTORY, problemWording } from "../stores/files/faults.ts";

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
    if (found.isDirectory()) return IS_DIRECTORY;
    if (!found.isFile()) return { en: "it is no regular file", ja: "通常のファイルではありません" };
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return problemWording(error);
  }
}
