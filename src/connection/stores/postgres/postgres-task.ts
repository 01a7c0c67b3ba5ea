import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hiddenIds } from "../../../model/hidden.ts";
import type { Notice } from "../../../model/notices.ts";
import type { Task, TaskId } from "../../../model/task.ts";
import type { NoteBox, OpenTask, SavedOutput, WorkerOutput } from "../../ports/open-task.ts";
import type { OpenOptions, ReportNotice } from "../../ports/task-store.ts";
import { ensureText, replaceUnflushed } from "../files/durable.ts";
import { iterationNumber } from "../files/task-paths.ts";
import { BOOKMARKED, bookmarkIn } from "./bookmarks.ts";
import type { Row } from "./database.ts";
import { fleetDoors } from "./doors.ts";
import { type Followed, PostgresEventLog } from "./event-log.ts";
import { exactColumns, exactText } from "./exact-text.ts";
import { FencedTask } from "./fenced.ts";
import { PostgresHistory, postgresLedger } from "./history.ts";
import { PostgresKnowledge } from "./knowledge.ts";
import { databaseLane } from "./lane.ts";
import { type Taken, takeLease } from "./lease.ts";
import type { Listener } from "./listener.ts";
import { PostgresRawLog } from "./raw-logs.ts";
import { folderOf, headingOf, locationOf, type ProjectPart, readNotes, spentIn, taskIn } from "./reading.ts";
import { watchRequests } from "./requests.ts";

/** The iteration of the text that was handed in last. */
const HANDED_IN = 0;

/** Of what a task may have much of, only what its bookmark does not know. Its finished iterations are not worked on again. */
const LEFT = `
  select ${BOOKMARKED}, output.doc as output, output.exact as exact_output,
    (select coalesce(max(seq), 0) from e8.event where event.task_id = task.task_id) as events,
    coalesce(bookmark.bytes, 0) + (select coalesce(sum(octet_length(event.doc::text)), 0) from e8.event
      where event.task_id = task.task_id and seq > coalesce(bookmark.events, 0)) as bytes,
    (select array_agg(distinct iteration) from e8.raw_line
      where raw_line.task_id = task.task_id and raw_line.iteration >= iterations and role = 'executor') as logged
  from e8.task left join e8.bookmark on bookmark.task_id = task.task_id
    left join e8.output on output.task_id = task.task_id and output.iteration = ${HANDED_IN} where task.task_id = $1`;

/** Takes the task's lease, then reads what earlier runs have left. */
export async function openTask(
  part: ProjectPart,
  { listener, id }: { listener: Listener; id: TaskId },
  options: OpenOptions,
): Promise<OpenTask> {
  const { database, project } = part;
  const { lease, row } = await takeLease(database, { project, id }, options);
  try {
    const [left = {}] = row.runs === 1 ? [] : await database.ask(LEFT, [id]);
    return await opened(part, { database, listener, id }, { lease, row: { ...row, ...left } });
  } catch (error) {
    await lease.release().catch(() => {});
    throw error;
  }
}

async function opened(part: ProjectPart, followed: Followed, { lease, row }: Taken): Promise<OpenTask> {
  const { database, id } = followed;
  const notices: Notice[] = [];
  const report = (one: Notice) => void notices.push(one);
  let task = taskIn(row, part);
  const held = new FencedTask(database, { id, fence: lease.fence, patience: { isPatient: true, report } });
  const journals = journalsOf(held, { part, row, task, report });
  const names = { location: locationOf(part, id), folder: folderOf(part, id) };
  const rawLog = new PostgresRawLog(held, report);
  const outputs = await outputsOf(held, { ...names, before: exactText({ doc: row.output, exact: row.exact_output }) });
  const { stop, ...requests } = watchRequests(followed, lease);
  let isReleased = false;
  return {
    get task() {
      return task;
    },
    ...names,
    history_path: names.location,
    token: names.folder,
    ...journals,
    ...rawLogOf(held, row, rawLog),
    ...requests,
    notes: noteBox(held),
    doors: fleetDoors(held),
    lane: databaseLane(held, part.project),
    save: async (change) => {
      const changed = { ...task, ...change };
      await held.write(SAVE, savedValues(changed));
      task = changed;
    },
    ...outputs,
    verify: async () => {}, // no other program can change anything, and a run that was replaced cannot write
    requireHeld: () => held.requireHeld(),
    takeNotices: () => notices.splice(0),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await stop();
      await Promise.all([journals.events.close(), rawLog.close()]);
      await lease.release().catch(() => {}); // then it lapses
    },
  };
}

interface Opening {
  part: ProjectPart;
  row: Row;
  task: Task;
  report: ReportNotice;
}

function journalsOf(held: FencedTask, { part, row, task, report }: Opening) {
  const { persist, knowledge, criteria } = task.configuration;
  const lines = Number(row.records);
  return {
    history: new PostgresHistory(held, { lines, bookmark: bookmarkIn(row), project: part.directory, persist, report }),
    knowledge: new PostgresKnowledge(held, {
      project: part.project,
      file: knowledge === null ? undefined : resolve(part.directory, knowledge),
    }),
    ledger: postgresLedger(held, Number(row.spendings), spentIn(row)),
    events: new PostgresEventLog(held, {
      seq: Number(row.events ?? 0),
      bytes: Number(row.bytes ?? 0),
      hidden: hiddenIds(criteria),
    }),
  };
}

function rawLogOf(held: FencedTask, { logged }: Row, log: PostgresRawLog): Pick<OpenTask, "rawLog" | "rawLogPath"> {
  const known = new Set<number>(Array.isArray(logged) ? logged : []);
  const name = `${held.database.address.name}#${held.id}/logs`;
  return {
    rawLog: async (iteration, role, line) => {
      if (role === "executor") known.add(iteration);
      await log.append(iteration, role, line);
    },
    rawLogPath: (iteration) =>
      known.has(iteration) ? `${name}/iteration-${iterationNumber(iteration)}.jsonl` : undefined,
  };
}

const SAVE = `
  update e8.task set doc = $3::json, heading = $4::json, persist = $5 where task_id = $1 and fence = $2 returning 1 as saved`;

/** A task as it is stored: its text, what lists show of it, and the file of copies. */
export function savedValues(task: Task): [doc: string, heading: string, persist: string | null] {
  return [JSON.stringify(task), JSON.stringify(headingOf(task)), task.configuration.persist];
}

function noteBox(held: FencedTask): NoteBox {
  return {
    waiting: () => readNotes(held.database, held.id, held.patience),
    remove: (note_id) =>
      held.write(
        `with held as (select task_id from e8.task where task_id = $1 and fence = $2 for share),
           removed as (delete from e8.note using held where note.task_id = held.task_id and note_id = $3)
         select 1 as held from held`,
        [note_id],
      ),
  };
}

const SAVE_OUTPUT = `
  with held as (select task_id from e8.task where task_id = $1 and fence = $2 for share)
  insert into e8.output (task_id, iteration, doc, exact) select task_id, unnest($3::integer[]), $4, $5 from held
  on conflict (task_id, iteration) do update set doc = excluded.doc, exact = excluded.exact returning 1 as saved`;

interface Names {
  location: string;
  folder: string;
  /** The text that was handed in last. */
  before: string;
}

/** The text that was handed in last is also a file of this machine: a worker cannot read the database. */
async function outputsOf(
  held: FencedTask,
  { location, folder, before }: Names,
): Promise<Pick<OpenTask, "saveOutput" | "readOutput" | "output_path">> {
  const output_path = join(folder, "output.md");
  let handedIn = before;
  mkdirSync(folder, { recursive: true });
  ensureText(join(dirname(folder), ".gitignore"), "*\n");
  if (before !== "") await replaceUnflushed(output_path, before);
  return {
    output_path,
    readOutput: async (iteration) => {
      if (iteration === undefined) return handedIn;
      const [found] = await held.read("select doc, exact from e8.output where task_id = $1 and iteration = $2", [
        iteration,
      ]);
      return exactText(found ?? {});
    },
    saveOutput: async ({ iteration, text, is_handed_in }: WorkerOutput): Promise<SavedOutput> => {
      const places = is_handed_in ? [iteration, HANDED_IN] : [iteration];
      await held.write(SAVE_OUTPUT, [places, ...exactColumns(text)]);
      if (is_handed_in) {
        handedIn = text.toWellFormed();
        await replaceUnflushed(output_path, text);
      }
      const path = `${location}/outputs/${iterationNumber(iteration)}.md`;
      const stored = Promise.resolve();
      return { path, stored, ...(is_handed_in && { name: `${location}/output.md` }) };
    },
  };
}
