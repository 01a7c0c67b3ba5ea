import { type Finding, finding } from "../../model/findings.ts";
import { withDuckDb } from "../queries/duckdb.ts";
import { problemOf } from "../stores/files/faults.ts";

/** Its library is native code: loading it is the only way to know that it fits this machine. */
export async function checkDuckDb(): Promise<Finding> {
  try {
    const version = await withDuckDb(async (connection) => {
      const reader = await connection.runAndReadAll("select version()");
      return String(reader.getRows()[0]?.[0]);
    });
    return finding(["duckdb", "ok"], "duckdb_ok", { version });
  } catch (error) {
    return finding(["duckdb", "warning"], "duckdb_broken", { problem: problemOf(error) });
  }
}
