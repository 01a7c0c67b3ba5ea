import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";

/**
 * Lends a connection to an in-memory DuckDB, and closes all of it afterwards. The library is loaded only here and only
 * now: it costs 70 MB of code and a tenth of a second, which most commands never need.
 */
export async function withDuckDb<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: "2",
    memory_limit: "256MB",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    temp_directory: join(tmpdir(), `endless8-duckdb-${process.pid}`), // else `.tmp` in whatever directory we are in
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

/** DuckDB takes every path for a pattern: `a[1]/history.jsonl` would read the files of `a1`. */
export function literalPath(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}
