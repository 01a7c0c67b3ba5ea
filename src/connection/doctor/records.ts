import { existsSync } from "node:fs";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Finding, finding } from "../../model/findings.ts";
import { problemWording } from "../stores/files/faults.ts";
import { tasksDirectory } from "../stores/files/task-paths.ts";

/** Whether the records of a run could be written: tried, where they would lie, and cleared away again. */
export async function checkRecords(project: string): Promise<Finding[]> {
  const path = nearestThere(tasksDirectory(project));
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
    return finding(["records", "problem"], "records_unwritable", { path, problem: problemWording(error) });
  }
}

const MEGABYTE = 1024 * 1024;
const LOW_MEGABYTES = 1024;
const FULL_MEGABYTES = 20;

/** A file system that does not tell is not reported. */
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

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}
