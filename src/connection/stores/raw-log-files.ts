import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { notice } from "../../model/notices.ts";
import type { RawLog } from "../agents/raw-log.ts";
import { errorCode, fileProblem } from "./faults.ts";
import { once, type ReportNotice } from "./json-lines.ts";

export interface RawLogOptions {
  directory: string;
  /** The task's own directory. Where that is gone, a log must not make it look as if it were there. */
  task: string;
  /** False: of every answer only the result is kept, not each message on the way. */
  every_message: boolean;
  report: ReportNotice;
}

/**
 * `iteration-003.jsonl` for the executor, `iteration-003.judge.jsonl` for the roles around it. Nobody needs a log to go on:
 * what cannot be written is told of once, and left out.
 */
export function rawLogFiles({ directory, task, every_message, report }: RawLogOptions): RawLog {
  const reportOnce = once(report);
  return async (iteration, role, line) => {
    if (!every_message && !line.includes('"type":"result"')) return;
    const suffix = role === "executor" ? "" : `.${role}`;
    const path = join(directory, `iteration-${String(iteration).padStart(3, "0")}${suffix}.jsonl`);
    await appendLine(path, `${line}\n`, { directory, task }).catch((error) =>
      reportOnce(notice("raw_log_unwritable", { file: path, problem: fileProblem(error) })),
    );
  };
}

/** Makes the directory when it is missing: before the first line, and whenever somebody has removed it. */
async function appendLine(
  path: string,
  line: string,
  { directory, task }: Pick<RawLogOptions, "directory" | "task">,
): Promise<void> {
  try {
    await appendFile(path, line);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || !existsSync(task)) throw error;
    await mkdir(directory, { recursive: true });
    await appendFile(path, line);
  }
}
