import { existsSync } from "node:fs";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Finding, finding } from "../../model/findings.ts";
import { withDuckDb } from "../queries/duckdb.ts";
import { fileProblem, problemOf } from "../stores/files/faults.ts";
import { tasksDirectory } from "../stores/files/task-paths.ts";

/** Whether a run could write its records: writes a file there, and removes it. */
export async function checkRecords(project: string): Promise<Finding[]> {
  const path = nearestExisting(tasksDirectory(project));
  const written = await tryWriting(path);
  return [written, ...(await checkDisk(path))];
}

async function tryWriting(path: string): Promise<Finding> {
  try {
    const directory = await mkdtemp(join(path, ".e8-doctor-"));
    try {
      await writeFile(join(directory, "record"), "x".repeat(4096));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    return finding(["records", "ok"], "records_ok", { path });
  } catch (error) {
    return finding(["records", "problem"], "records_unwritable", { path, problem: fileProblem(error) });
  }
}

const MEGABYTE = 1024 * 1024;
const LOW_MEGABYTES = 1024;
const FULL_MEGABYTES = 20;

/** No finding when the file system does not say. */
async function checkDisk(path: string): Promise<Finding[]> {
  const disk = await statfs(path).catch(() => undefined);
  return disk ? [diskFinding((disk.bavail * disk.bsize) / MEGABYTE)] : [];
}

export function diskFinding(megabytes: number): Finding {
  const free = megabytes >= 1024 ? `${(megabytes / 1024).toFixed(1)} GB` : `${Math.floor(megabytes)} MB`;
  if (megabytes < FULL_MEGABYTES) return finding(["disk", "problem"], "disk_full", { free });
  if (megabytes < LOW_MEGABYTES) return finding(["disk", "warning"], "disk_low", { free });
  return finding(["disk", "ok"], "disk_ok", { free });
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** DuckDB is native code: only loading it shows whether it fits this machine. */
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
