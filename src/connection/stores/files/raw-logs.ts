import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { Role } from "../../../model/roles.ts";
import type { Task } from "../../../model/task.ts";
import type { RawLog } from "../../ports/open-task.ts";
import type { RawLine, RawLogRequest, ReportNotice } from "../../ports/task-store.ts";
import { errorCode, fileProblem, readFault } from "./faults.ts";
import { once } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { Tail } from "./tail.ts";
import { readTask } from "./task-file.ts";
import {
  iterationNumber,
  OWN_DIRECTORY,
  OWN_FILE,
  rawLogDirectory,
  seenFrom,
  type TaskPlace,
  taskPaths,
} from "./task-paths.ts";

const POLL_MILLISECONDS = 200;
const NAME = /^iteration-(\d+)(?:\.(\w+))?\.jsonl$/;

/** `iteration-003.jsonl` for the executor, `iteration-003.judge.jsonl` for the roles around it. */
export function logPath(directory: string, iteration: number, role: Role): string {
  const suffix = role === "executor" ? "" : `.${role}`;
  return join(directory, `iteration-${iterationNumber(iteration)}${suffix}.jsonl`);
}

export function rawLogWriter(place: TaskPlace, raw_log_dir: string | null, report: ReportNotice): RawLog {
  const directory = rawLogDirectory(place, raw_log_dir);
  const reportOnce = once(report);
  return async (iteration, role, line) => {
    const path = logPath(directory, iteration, role);
    await appendLine(path, `${line}\n`, { directory, task: place.path }).catch((error) =>
      reportOnce(notice("raw_log_unwritable", { file: path, problem: fileProblem(error) })),
    );
  };
}

/** The executor's log of an iteration, as seen from the project; undefined where there is none. */
export function rawLogPath(place: TaskPlace, raw_log_dir: string | null, iteration: number): string | undefined {
  const path = logPath(rawLogDirectory(place, raw_log_dir), iteration, "executor");
  return existsSync(path) ? seenFrom(place.project, path) : undefined;
}

/** Creates a missing directory, unless the task was deleted. */
async function appendLine(path: string, line: string, { directory, task }: { directory: string; task: string }) {
  try {
    await appendFile(path, line, { mode: OWN_FILE });
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || !existsSync(task)) throw error;
    await mkdir(directory, { recursive: true, mode: OWN_DIRECTORY });
    await appendFile(path, line, { mode: OWN_FILE });
  }
}

/** The raw logs of a task, in the order of the work, including lines written meanwhile. */
export async function* rawLogLines(place: TaskPlace, request: RawLogRequest): AsyncGenerator<RawLine> {
  const task = await readTask(place.project, place.path, place.id);
  const directory = rawLogDirectory(place, task.configuration.logging.raw_log_dir);
  const read = new Map<string, LogReader>();
  for (;;) {
    // Checked before the files are read, so that the last lines of a run are not missed.
    const isLive = request.follow && (await readLock(taskPaths(place.path).lock)) !== undefined;
    const files = await logFiles(directory);
    if (!isLive) requireLogs(files, task, request);
    for (const file of files.filter(({ iteration }) => [undefined, iteration].includes(request.iteration))) {
      const reader = read.get(file.path) ?? new LogReader(file, request.report);
      read.set(file.path, reader);
      yield* reader.lines(!isLive);
    }
    if (!isLive) return;
    await pause(POLL_MILLISECONDS);
  }
}

interface LogFile extends Omit<RawLine, "line"> {
  path: string;
}

async function logFiles(directory: string): Promise<LogFile[]> {
  const names = await readdir(directory).catch((error) => {
    if (errorCode(error) === "ENOENT") return [];
    throw readFault(error, directory);
  });
  return names.flatMap((name) => logFile(directory, name)).sort(byTurn);
}

function logFile(directory: string, name: string): LogFile[] {
  const [, iteration, suffix = "executor"] = NAME.exec(name) ?? [];
  const role = Role.safeParse(suffix).data;
  return iteration && role ? [{ path: join(directory, name), iteration: Number(iteration), role }] : [];
}

/** Roles are listed in the order in which they have their turn. */
function byTurn(left: LogFile, right: LogFile): number {
  const roles = Role.options;
  return left.iteration - right.iteration || roles.indexOf(left.role) - roles.indexOf(right.role);
}

/** Throws where there is nothing to show. */
function requireLogs(
  files: readonly LogFile[],
  { task_id: id, configuration }: Task,
  { iteration }: RawLogRequest,
): void {
  if (files.length === 0) throw new E8Error(configuration.logging.raw_log ? "raw_log_empty" : "raw_log_off", { id });
  const known = [...new Set(files.map((file) => file.iteration))];
  if (iteration !== undefined && !known.includes(iteration))
    throw new E8Error("iteration_not_logged", { id, iteration, known: known.join(", ") });
}

/** Reads one log. A log that cannot be read is reported once and does not hide the others. */
class LogReader {
  readonly #file: LogFile;
  readonly #report: ReportNotice;
  readonly #tail: Tail;
  #isGivenUp = false;

  constructor(file: LogFile, report: ReportNotice) {
    this.#file = file;
    this.#report = report;
    this.#tail = new Tail(file.path);
  }

  async *lines(isFinal: boolean): AsyncGenerator<RawLine> {
    const { path, iteration, role } = this.#file;
    if (this.#isGivenUp) return;
    try {
      for await (const line of this.#tail.lines(isFinal)) yield { iteration, role, line };
    } catch (error) {
      this.#isGivenUp = true;
      this.#report(notice("file_left_out", { file: path, problem: fileProblem(error) }));
    }
  }
}
