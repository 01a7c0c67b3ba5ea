import { randomUUID } from "node:crypto";
import { E8Error } from "../../../model/errors.ts";
import { FleetSubmission } from "../../../model/fleet.ts";
import type { HistoryRecord } from "../../../model/records.ts";
import { Role } from "../../../model/roles.ts";
import { Task, type TaskId } from "../../../model/task.ts";
import type { RawLine } from "../../ports/task-store.ts";
import type { TaskParcel, TaskTransfer } from "../../ports/task-transfer.ts";
import { queueName, REGISTER } from "../../queues/bullmq/queue-schema.ts";
import { latestOf, pastOf } from "../standing.ts";
import type { Row } from "./database.ts";
import { exactColumns, exactText } from "./exact-text.ts";
import { amountsOf, progressIn, recordsIn, spendingsIn } from "./history.ts";
import { rawLineColumns } from "./raw-logs.ts";
import { headingOf, locationOf, type ProjectPart, rowOf } from "./reading.ts";
import { liveHolder } from "./requests.ts";

export function postgresTransfer(part: ProjectPart): TaskTransfer {
  const { database, project } = part;
  return {
    pack: (id) => pack(part, id),
    unpack: (parcel) => unpack(part, parcel),
    sharedKnowledge: async () => {
      const sql = "select doc::text from e8.knowledge where project = $1 and task_id is null order by number";
      return docsIn(await database.ask(sql, [project]));
    },
    addShared: async (entries) => void (await database.ask(ADD_KNOWLEDGE, knowledgeValues(project, null, entries))),
  };
}

async function pack(part: ProjectPart, id: TaskId): Promise<TaskParcel> {
  const { database } = part;
  const row = await rowOf(part, id, "doc::text");
  if (await liveHolder({ database, id })) throw new E8Error("task_is_running", { id });
  const docs = async (table: string, order: string) =>
    docsIn(await database.ask(`select doc::text from e8.${table} where task_id = $1 order by ${order}`, [id]));
  const texts = await database.ask(
    "select iteration, doc, exact from e8.output where task_id = $1 order by iteration",
    [id],
  );
  const outputs = texts.map((one): [number, string] => [Number(one.iteration), exactText(one)]);
  const [given] = await database.ask(SUBMISSION, [id]);
  const lines = "select iteration, role, line as doc, exact from e8.raw_line where task_id = $1 order by number";
  return {
    task_id: id,
    task: String(row.doc),
    history: await docs("record", "seq"),
    knowledge: await docs("knowledge", "number"),
    spending: await docs("spending", "seq"),
    events: await docs("event", "seq"),
    notes: await docs("note", "note_id"),
    output: outputs.find(([iteration]) => iteration === 0)?.[1] ?? "",
    outputs: outputs.filter(([iteration]) => iteration > 0),
    raw_lines: (await database.ask(lines, [id])).flatMap(rawLineIn),
    ...(given && { submission: FleetSubmission.parse(given) }),
  };
}

function docsIn(rows: readonly Row[]): string[] {
  return rows.map(({ doc }) => String(doc));
}

function rawLineIn({ iteration, role, ...text }: Row): RawLine[] {
  const known = Role.safeParse(role).data;
  return known ? [{ iteration: Number(iteration), role: known, line: exactText(text) }] : [];
}

const ADD_TASK = `
  insert into e8.task (task_id, second, number, project, created_at, doc, heading, persist, records, spendings, iterations,
    criteria_met, ending, ending_seq, last_active, spent_in_all, spent_since, runs)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 1) on conflict do nothing returning task_id`;

const ADD_KNOWLEDGE = `
  insert into e8.knowledge (key, project, task_id, doc)
  select key, $1, $2, doc::json from unnest($3::text[], $4::text[]) with ordinality as given (key, doc, place) order by place
  on conflict (key) do nothing`;

function knowledgeValues(project: string, id: TaskId | null, entries: readonly string[]) {
  return [project, id, entries.map(() => randomUUID()), [...entries]];
}

type Ask = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

async function unpack(part: ProjectPart, parcel: TaskParcel): Promise<void> {
  const { database, project } = part;
  const { task_id: id } = parcel;
  await database.inTransaction(async (ask) => {
    const [added] = await ask(ADD_TASK, taskValues(project, parcel));
    if (!added) throw new E8Error("task_exists", { id, place: locationOf(part, id) });
    await addLines(ask, parcel);
    await ask(ADD_KNOWLEDGE, knowledgeValues(project, id, parcel.knowledge));
    const outputs: [number, string][] = parcel.output === "" ? parcel.outputs : [[0, parcel.output], ...parcel.outputs];
    await addSubmission(ask, project, parcel);
    const texts = outputs.map(([, text]) => exactColumns(text));
    await ask(ADD_OUTPUTS, [
      id,
      outputs.map(([iteration]) => iteration),
      texts.map(([readable]) => readable),
      texts.map(([, exact]) => exact),
    ]);
  });
}

const SUBMISSION =
  "select labels, priority, rank, submitted_at, since, cancelled_at from e8.submission where task_id = $1";

const ADD_SUBMISSION = `
  insert into e8.submission (task_id, labels, priority, rank, submitted_at, since, cancelled_at)
  values ($1, $2, $3, $4, $5, $6, $7)`;

/** A task that waited for a worker waits again: a worker puts it in line, as it does with all that wait and are in none. */
async function addSubmission(ask: Ask, project: string, { task_id: id, submission }: TaskParcel): Promise<void> {
  if (!submission) return;
  const { labels, priority, rank, submitted_at, since, cancelled_at } = submission;
  await ask(ADD_SUBMISSION, [id, labels, priority, rank, submitted_at, since, cancelled_at]);
  await ask(REGISTER, [queueName({ project, labels }), project, labels]);
}

/** Lines are sent in parts: a raw log may be larger than a message of the database. */
const PART = 1_000;

async function addLines(ask: Ask, parcel: TaskParcel): Promise<void> {
  const { task_id: id, history, spending, events, notes, raw_lines } = parcel;
  const add = async <T>(
    sql: string,
    lines: readonly T[],
    columns: readonly ((line: T, index: number) => unknown)[],
  ) => {
    for (let at = 0; at < lines.length; at += PART) {
      const some = lines.slice(at, at + PART);
      await ask(sql, [id, ...columns.map((column) => some.map((line, index) => column(line, at + index)))]);
    }
  };
  const number = (_: string, index: number) => index + 1;
  const text = (line: string) => line;
  const fact = (name: string) => (line: string) => (JSON.parse(line) as Record<string, unknown>)[name];
  const named = (name: string) => (line: string) => String(fact(name)(line) ?? "");
  await add(ADD_RECORDS, history, [number, named("type"), named("timestamp"), text]);
  await add(plain("spending", "seq", "integer"), spending, [number, text]);
  await add(plain("event", "seq", "integer"), events, [fact("seq"), text]);
  await add(plain("note", "note_id", "text"), notes, [fact("note_id"), text]);
  for (let at = 0; at < raw_lines.length; at += PART)
    await ask(ADD_RAW, [id, ...rawLineColumns(raw_lines.slice(at, at + PART))]);
}

const ADD_RECORDS = `
  insert into e8.record (task_id, seq, type, at, doc)
  select $1, seq, type, at, doc::json from unnest($2::integer[], $3::text[], $4::text[], $5::text[]) as given (seq, type, at, doc)`;

const ADD_RAW = `
  insert into e8.raw_line (task_id, iteration, role, line, exact)
  select $1, iteration, role, line, exact
  from unnest($2::integer[], $3::text[], $4::text[], $5::bytea[]) with ordinality as given (iteration, role, line, exact, place)
  order by place`;

const ADD_OUTPUTS = `
  insert into e8.output (task_id, iteration, doc, exact)
  select $1, * from unnest($2::integer[], $3::text[], $4::bytea[])`;

function plain(table: string, column: string, type: string): string {
  return `
    insert into e8.${table} (task_id, ${column}, doc)
    select $1, number, doc::json from unnest($2::${type}[], $3::text[]) as given (number, doc) on conflict do nothing`;
}

/** What appends would have made of the same records. */
function taskValues(project: string, { task_id, task: text, history, spending }: TaskParcel): unknown[] {
  const task = Task.parse(JSON.parse(text));
  const [, second = "", number = "1"] = /^(.{19})(?:-(\d+))?$/.exec(task_id) ?? [];
  const records = recordsIn(history.map((doc) => ({ doc })));
  const spent = spendingsIn(spending.map((doc) => ({ doc })));
  const past = pastOf(records, spent);
  const last_active = latestOf([task.created_at, past.last_active]);
  const { doc: ending = null, seq = 0 } = endingIn(history) ?? {};
  const at = ending === null ? "" : String((JSON.parse(ending) as HistoryRecord).timestamp);
  const sum = (entries: typeof spent) =>
    entries
      .map(amountsOf)
      .reduce((all, one) => all.map((amount, index) => amount + (one[index] ?? 0)), [0, 0, 0, 0, 0]);
  return [
    ...[task_id, second, Number(number), project, task.created_at, text, JSON.stringify(headingOf(task))],
    ...[task.configuration.persist, history.length, spending.length, past.iterations, past.criteria_met],
    ...[ending, seq, last_active, sum(spent), sum(spent.filter(({ timestamp }) => timestamp > at))],
  ];
}

function endingIn(history: readonly string[]): { doc: string; seq: number } | undefined {
  const index = history.findLastIndex((doc) => {
    const [record] = recordsIn([{ doc }]);
    return record !== undefined && progressIn(record)[2] !== null;
  });
  const doc = history[index];
  return doc === undefined ? undefined : { doc, seq: index + 1 };
}
