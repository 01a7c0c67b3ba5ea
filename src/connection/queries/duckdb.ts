import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { message, type Statement } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import type { ReportNotice } from "../ports/task-store.ts";
import { fileProblem } from "../stores/files/faults.ts";

/**
 * Lends a connection to an in-memory DuckDB, and closes it afterwards. The library is loaded only now: it has 70 MB of code and takes
 * a tenth of a second, and most commands never need it.
 */
export async function withDuckDb<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: "2",
    memory_limit: "256MB",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    temp_directory: join(tmpdir(), `endless8-duckdb-${process.pid}`), // the default is `.tmp` in the current directory
  });
  try {
    const connection = await instance.connect();
    try {
      return await use(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** DuckDB treats every path as a pattern: `a[1]/history.jsonl` would read the files of `a1`. */
export function literalPath(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}

/** The files that can be read; the others are reported. DuckDB would fail the whole query for one of them. */
export function readable(files: readonly string[], report: ReportNotice): string[] {
  return files.filter((file) => {
    const problem = readProblem(file);
    if (problem !== undefined) report(notice("file_left_out", { file, problem }));
    return problem === undefined;
  });
}

function readProblem(file: string): Statement | undefined {
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
