import { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { Role } from "../../../model/roles.ts";
import type { Task } from "../../../model/task.ts";
import type { RawLog } from "../../ports/open-task.ts";
import type { RawLine, RawLogRequest, ReportNotice } from "../../ports/task-store.ts";
import { problemOf } from "../files/faults.ts";
import { once } from "../files/json-lines.ts";
import { storable } from "../stored-json.ts";
import type { Database, Patience } from "./database.ts";
import { type Followed, following } from "./event-log.ts";
import type { FencedTask } from "./fenced.ts";

const APPEND = `
  insert into e8.raw_line (task_id, iteration, role, line)
  select $1, iteration, role, line
  from unnest($2::integer[], $3::text[], $4::text[]) with ordinality as given (iteration, role, line, place) order by place`;

/** Lines that come while others are on their way go together. */
export function rawLogWriter(task: FencedTask, report: ReportNotice): RawLog {
  const reportOnce = once(report);
  let waiting: RawLine[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const write = async () => {
    const lines = waiting;
    [waiting, next] = [[], undefined];
    const columns = [lines.map((one) => one.iteration), lines.map((one) => one.role), lines.map((one) => one.line)];
    await task.database.ask(APPEND, [task.id, ...columns]).catch((error) => {
      const file = `${task.database.address.name}#${task.id}`;
      reportOnce(notice("raw_log_unwritable", { file, problem: problemOf(error) }));
    });
  };
  return (iteration, role, line) => {
    waiting.push({ iteration, role, line: storable(line) });
    next ??= writing.then(write);
    writing = next;
    return next;
  };
}

const BATCH = 1_000;

/** The raw logs of a task, in the order of the work, including lines written meanwhile. */
export function rawLogLines(followed: Followed, task: Task, request: RawLogRequest): AsyncGenerator<RawLine> {
  const { database, id } = followed;
  const read = new Map<string, number>();
  return following(followed, request, async function* (isLive, patience) {
    const logs = await logsOf(database, id, patience);
    if (!isLive) requireLogs(logs, task, request);
    for (const log of logs.filter(({ iteration }) => [undefined, iteration].includes(request.iteration))) {
      const key = `${log.iteration} ${log.role}`;
      yield* linesAfter({ ...log, database, id }, read.get(key) ?? 0, (last) => void read.set(key, last));
    }
  });
}

type Log = Pick<RawLine, "iteration" | "role">;

async function* linesAfter(
  { database, id, iteration, role }: Log & Pick<Followed, "database" | "id">,
  from: number,
  readUpTo: (last: number) => void,
): AsyncGenerator<RawLine> {
  for (let last = from; ; ) {
    const rows = await database.ask(
      `select number, line from e8.raw_line where task_id = $1 and iteration = $2 and role = $3 and number > $4
       order by number limit ${BATCH}`,
      [id, iteration, role, last],
    );
    for (const { line } of rows) yield { iteration, role, line: String(line) };
    last = Number(rows.at(-1)?.number ?? last);
    readUpTo(last);
    if (rows.length < BATCH) return;
  }
}

/** Roles are listed in the order in which they have their turn. */
async function logsOf(database: Database, id: string, patience: Patience): Promise<Log[]> {
  const rows = await database.ask(
    "select distinct iteration, role from e8.raw_line where task_id = $1",
    [id],
    patience,
  );
  const roles = Role.options;
  const logs = rows.flatMap((row) => {
    const role = Role.safeParse(row.role).data;
    return role ? [{ iteration: Number(row.iteration), role }] : [];
  });
  return logs.sort(
    (left, right) => left.iteration - right.iteration || roles.indexOf(left.role) - roles.indexOf(right.role),
  );
}

/** Throws where there is nothing to show. */
function requireLogs(logs: readonly Log[], { task_id: id, configuration }: Task, { iteration }: RawLogRequest): void {
  if (logs.length === 0) throw new E8Error(configuration.logging.raw_log ? "raw_log_empty" : "raw_log_off", { id });
  const known = [...new Set(logs.map((log) => log.iteration))];
  if (iteration !== undefined && !known.includes(iteration))
    throw new E8Error("iteration_not_logged", { id, iteration, known: known.join(", ") });
}
