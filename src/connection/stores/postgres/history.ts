import { resolve } from "node:path";
import type { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { HistoryRecord } from "../../../model/records.ts";
import type { RunState } from "../../../model/state.ts";
import { Spending, type Usage } from "../../../model/usage.ts";
import type { History, HistoryContext, Ledger, Recalled } from "../../ports/open-task.ts";
import type { ReportNotice } from "../../ports/task-store.ts";
import { fileProblem } from "../files/faults.ts";
import { appendShared } from "../files/shared-file.ts";
import { HistoryMemory } from "../history-memory.ts";
import { metIn } from "../standing.ts";
import { storedJson } from "../stored-json.ts";
import { BOOKMARK_RECORDS, type Bookmark, keepBookmark } from "./bookmarks.ts";
import type { Row } from "./database.ts";
import { type FencedTask, Journal } from "./fenced.ts";

/** The largest `history_context_size`. */
const CAPACITY = 20;

interface HistoryOptions {
  lines: number;
  bookmark: Bookmark | undefined;
  project: string;
  /** A file of this machine that gets a copy of every record, with the task's id. */
  persist: string | null;
  report: ReportNotice;
}

const APPEND = {
  set: `last_active = greatest(last_active, $5), iterations = coalesce($6, iterations), criteria_met = coalesce($7, criteria_met),
    ending = coalesce($8::json, ending), ending_seq = case when $8::json is null then ending_seq else $3 end,
    spent_since = case when $8::json is null then spent_since else '{0,0,0}' end`,
  insert: "insert into e8.record (task_id, seq, type, at, doc) select task_id, $3, $4, $5, $9::json from held",
};

/** Columns of the task that a record changes: its iteration, how many criteria are met, and the ending. */
export function progressIn(record: HistoryRecord): readonly [number | null, number | null, string | null] {
  return [
    record.type === "summary" ? record.iteration : null,
    record.type === "judgment" ? metIn(record) : null,
    record.type === "final_result" ? storedJson(record) : null,
  ];
}

export class PostgresHistory implements History {
  readonly #task: FencedTask;
  readonly #journal: Journal;
  readonly #options: HistoryOptions;
  #memory: HistoryMemory | undefined;
  #lines: number;
  /** How many records the last bookmark knows. */
  #bookmarked: number;

  constructor(task: FencedTask, options: HistoryOptions) {
    this.#task = task;
    this.#journal = new Journal(task, "records", options.lines);
    this.#options = options;
    this.#lines = options.lines;
    this.#bookmarked = options.bookmark?.records ?? 0;
    if (options.lines === 0) this.#memory = new HistoryMemory(CAPACITY);
  }

  async append(record: HistoryRecord): Promise<void> {
    const { type, timestamp } = record;
    const text = storedJson(record);
    await this.#journal.append(APPEND, [type, timestamp, ...progressIn(record), text]);
    this.#memory?.add(HistoryRecord.parse(JSON.parse(text)));
    this.#lines += 1;
  }

  async mark(state: () => RunState): Promise<void> {
    const records = this.#lines;
    if (records - this.#bookmarked <= BOOKMARK_RECORDS) return;
    const memory = await this.#remembered(CAPACITY);
    await keepBookmark(this.#task, { records, state: state(), context: memory.recalled() });
    this.#bookmarked = records;
  }

  async copy(record: HistoryRecord): Promise<void> {
    const { persist, project, report } = this.#options;
    if (persist === null) return;
    const file = resolve(project, persist);
    await appendShared(file, [{ ...record, task_id: this.#task.id }]).catch((error: E8Error) => {
      if (record.type !== "final_result") throw error;
      report(notice("copy_unwritable", { file, problem: fileProblem(error.cause) }));
    });
  }

  async *records(): AsyncGenerator<HistoryRecord> {
    yield* recordsIn(await this.#task.read(RECORDS));
  }

  async recall(): Promise<Recalled> {
    const { lines, bookmark } = this.#options;
    return recallFrom((sql, values) => this.#task.read(sql, values), lines, bookmark);
  }

  async context(size: number): Promise<HistoryContext> {
    return (await this.#remembered(size)).context(size);
  }

  async #remembered(size: number): Promise<HistoryMemory> {
    if (!this.#memory || size > this.#memory.capacity) this.#memory = await this.#remember(size);
    return this.#memory;
  }

  async #remember(size: number): Promise<HistoryMemory> {
    const bookmark = size > CAPACITY ? undefined : this.#options.bookmark;
    const memory = new HistoryMemory(Math.max(size, CAPACITY), bookmark?.context);
    const rows = await this.#task.read(
      "select doc::text from e8.record where task_id = $1 and seq > $2 and type in ('summary', 'judgment') order by seq",
      [bookmark?.records ?? 0],
    );
    for (const one of recordsIn(rows)) memory.add(one);
    return memory;
  }
}

export const RECORDS = "select doc::text from e8.record where task_id = $1 order by seq";
const RECORDS_SINCE = "select doc::text from e8.record where task_id = $1 and seq > $2 order by seq";
export const SPENDINGS = "select doc::text from e8.spending where task_id = $1 order by seq";

/** `lines`: how many records there are. `read` puts the task before the values. */
export async function recallFrom(
  read: (sql: string, values: readonly unknown[]) => Promise<Row[]>,
  lines: number,
  bookmark: Bookmark | undefined,
): Promise<Recalled> {
  const known = bookmark?.records ?? 0;
  const rows = lines > known ? await read(RECORDS_SINCE, [known]) : [];
  return { records: recordsIn(rows), ...(bookmark && { state: bookmark.state }) };
}

/** Records of a later version are left out. */
export function recordsIn(rows: readonly Row[]): HistoryRecord[] {
  return rows.flatMap(({ doc }) => HistoryRecord.safeParse(JSON.parse(String(doc))).data ?? []);
}

export function spendingsIn(rows: readonly Row[]): Spending[] {
  return rows.flatMap(({ doc }) => Spending.safeParse(JSON.parse(String(doc))).data ?? []);
}

/** The last two count the lines whose tokens or cost are not known. */
const SUM =
  "array[%[1] + $6, %[2] + $7, %[3] + $8, coalesce(%[4], 0) + $9, coalesce(%[5], 0) + $10]::double precision[]";

/** What a line of the ledger adds to the sums of its task. */
export function amountsOf({ tokens, cost_usd, seconds, unknown = [] }: Spending): number[] {
  return [tokens, cost_usd, seconds, Number(unknown.includes("tokens")), Number(unknown.includes("cost"))];
}

const SPEND = {
  set: `last_active = greatest(last_active, $5), spent_in_all = ${SUM.replaceAll("%", "spent_in_all")},
    spent_since = ${SUM.replaceAll("%", "spent_since")}`,
  insert: "insert into e8.spending (task_id, seq, doc) select task_id, $3, $4::json from held",
};

/** `before`: what the task had cost when it was opened. */
export function postgresLedger(task: FencedTask, lines: number, before: Usage): Ledger {
  const journal = new Journal(task, "spendings", lines);
  return {
    append: (spending) => {
      return journal.append(SPEND, [storedJson(spending), spending.timestamp, ...amountsOf(spending)]);
    },
    spent: async () => before,
  };
}
