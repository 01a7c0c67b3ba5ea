import { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { Role } from "../../../model/roles.ts";
import type { Task } from "../../../model/task.ts";
import type { RawLog } from "../../ports/open-task.ts";
import type { RawLine, RawLogRequest, ReportNotice } from "../../ports/task-store.ts";
import { problemOf } from "../files/faults.ts";
import { once } from "../files/json-lines.ts";
import type { Database, Patience } from "./database.ts";
import { type Followed, following } from "./event-log.ts";
import { exactColumns, exactText } from "./exact-text.ts";
import type { FencedTask } from "./fenced.ts";

const APPEND = `
  insert into e8.raw_line (task_id, iteration, role, line, exact)
  select task_id, iteration, role, line, exact
  from (select task_id from e8.task where task_id = $1 and fence = $2 for share) as held,
    unnest($3::integer[], $4::text[], $5::text[], $6::bytea[]) with ordinality as given (iteration, role, line, exact, place)
  order by place`;

/** The columns `iteration`, `role`, `line` and `exact` of raw lines. */
export function rawLineColumns(lines: readonly RawLine[]) {
  const texts = lines.map(({ line }) => exactColumns(line));
  return [
    lines.map(({ iteration }) => iteration),
    lines.map(({ role }) => role),
    texts.map(([readable]) => readable),
    texts.map(([, exact]) => exact),
  ];
}

/** Writes lines in batches: those that come while a batch is on its way go with the next. Never throws. */
export class PostgresRawLog {
  readonly #task: FencedTask;
  readonly #report: ReportNotice;
  #waiting: RawLine[] = [];
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(task: FencedTask, report: ReportNotice) {
    this.#task = task;
    this.#report = once(report);
  }

  readonly append: RawLog = (iteration, role, line) => {
    this.#waiting.push({ iteration, role, line });
    this.#next ??= this.#writing.then(() => this.#write());
    this.#writing = this.#next;
    return this.#next;
  };

  /** Lines that come after the end of the lease are left out, so what is on its way arrives before. */
  close(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    [this.#waiting, this.#next] = [[], undefined];
    const { database, id, fence } = this.#task;
    await database.ask(APPEND, [id, fence, ...rawLineColumns(lines)]).catch((error) => {
      this.#report(notice("raw_log_unwritable", { file: `${database.address.name}#${id}`, problem: problemOf(error) }));
    });
  }
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
      `select number, line as doc, exact from e8.raw_line where task_id = $1 and iteration = $2 and role = $3 and number > $4
       order by number limit ${BATCH}`,
      [id, iteration, role, last],
    );
    for (const row of rows) yield { iteration, role, line: exactText(row) };
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
