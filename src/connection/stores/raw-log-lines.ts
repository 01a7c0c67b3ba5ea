import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { E8Error } from "../../model/errors.ts";
import { notice } from "../../model/notices.ts";
import { Role } from "../../model/roles.ts";
import { errorCode, fileProblem, readFault } from "./faults.ts";
import type { ReportNotice } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { openTask, type TaskDirectory } from "./task-directory.ts";
import { rawLogDirectory, taskPaths } from "./task-paths.ts";

/** One line of what an agent said, as it was logged. */
export interface RawLine {
  iteration: number;
  role: Role;
  line: string;
}

export interface RawLogRequest {
  project: string;
  id: string;
  /** All of them where absent. */
  iteration?: number | undefined;
  /** Goes on as long as the task is being run. */
  follow: boolean;
  /** Takes what could not be read. */
  report: ReportNotice;
}

const POLL_MILLISECONDS = 200;

/** The raw logs of a task, in the order of the work. What is written while they are read comes when it is there. */
export async function* rawLogLines(request: RawLogRequest): AsyncGenerator<RawLine> {
  const task = await openTask(request.project, request.id);
  const read = new Map<string, Position>();
  for (;;) {
    // Before the files are read: what is written until the run ends is then read, too.
    const isLive = request.follow && (await readLock(taskPaths(task.path).lock)) !== undefined;
    const files = await logFiles(task);
    if (!isLive) requireLogs(files, task, request);
    for (const file of files.filter(({ iteration }) => [undefined, iteration].includes(request.iteration)))
      yield* readableLines(file, positionIn(read, file.path), { more: isLive, report: request.report });
    if (!isLive) return;
    await pause(POLL_MILLISECONDS);
  }
}

interface LogFile extends Omit<RawLine, "line"> {
  path: string;
}

const NAME = /^iteration-(\d+)(?:\.(\w+))?\.jsonl$/;

async function logFiles(task: TaskDirectory): Promise<LogFile[]> {
  const directory = rawLogDirectory(task, task.task.configuration.logging.raw_log_dir);
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

/** Throws where there is nothing to show, and says why. */
function requireLogs(files: readonly LogFile[], { id, task }: TaskDirectory, { iteration }: RawLogRequest): void {
  if (files.length === 0)
    throw new E8Error(task.configuration.logging.raw_log ? "raw_log_empty" : "raw_log_off", { id });
  const known = [...new Set(files.map((file) => file.iteration))];
  if (iteration !== undefined && !known.includes(iteration))
    throw new E8Error("iteration_not_logged", { id, iteration, known: known.join(", ") });
}

/** How far a file has been read, and the beginning of a line whose end was not there yet. */
interface Position {
  bytes: number;
  rest: Buffer;
  /** It could not be read, and that was said. */
  isGivenUp: boolean;
}

function positionIn(read: Map<string, Position>, path: string): Position {
  const position = read.get(path) ?? { bytes: 0, rest: Buffer.alloc(0), isGivenUp: false };
  read.set(path, position);
  return position;
}

/** One log that cannot be read keeps nobody from the others. */
async function* readableLines(
  file: LogFile,
  position: Position,
  { more, report }: { more: boolean; report: ReportNotice },
): AsyncGenerator<RawLine> {
  if (position.isGivenUp) return;
  try {
    yield* linesOf(file, position, more);
  } catch (error) {
    position.isGivenUp = true;
    report(notice("file_left_out", { file: file.path, problem: fileProblem(error) }));
  }
}

async function* linesOf(
  { path, iteration, role }: LogFile,
  position: Position,
  more: boolean,
): AsyncGenerator<RawLine> {
  for await (const chunk of createReadStream(path, { start: position.bytes }) as AsyncIterable<Buffer>) {
    position.bytes += chunk.length;
    const bytes = Buffer.concat([position.rest, chunk]);
    const end = bytes.lastIndexOf("\n") + 1;
    position.rest = bytes.subarray(end);
    for (const line of bytes.subarray(0, end).toString().split("\n").filter(Boolean)) yield { iteration, role, line };
  }
  if (!more && position.rest.length > 0) yield { iteration, role, line: position.rest.toString() };
}
