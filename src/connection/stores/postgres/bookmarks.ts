import { isRecord, jsonIn } from "../../../model/json.ts";
import { NOTHING_DONE, type RunState } from "../../../model/state.ts";
import { packageVersion } from "../../version.ts";
import type { RecalledHistory } from "../history-memory.ts";
import { storedJson } from "../stored-json.ts";
import type { Row } from "./database.ts";
import type { FencedTask } from "./fenced.ts";

/** Of a task with more records than this, what a run has known is kept now and then, so that the next one reads at most so many. */
export const BOOKMARK_RECORDS = 50;

/** What a run has known after so many records of its task. */
export interface Bookmark {
  records: number;
  state: RunState;
  /** The context of those records, of the size `CAPACITY`. */
  context: RecalledHistory;
}

/** Columns of `e8.bookmark`, joined to a task. Another version may have known other things: its bookmarks are not read. */
export const BOOKMARKED = "bookmark.records as bookmarked, bookmark.doc::text as known, bookmark.made_by";

export function bookmarkIn({ bookmarked, known, made_by }: Row): Bookmark | undefined {
  if (made_by !== packageVersion()) return undefined;
  const doc = jsonIn(String(known));
  if (!isRecord(doc) || !isRecord(doc.state) || !isRecord(doc.context)) return undefined;
  const state = { ...NOTHING_DONE, ...doc.state } as RunState; // this version's own form
  return { records: Number(bookmarked), state, context: doc.context as unknown as RecalledHistory };
}

/** What was counted of events up to the bookmark before is not counted again. */
const KEEP = `
  with held as (select task_id from e8.task where task_id = $1 and fence = $2 and records = $3 for share),
    before as (select coalesce(max(events), 0) as events, coalesce(max(bytes), 0) as bytes from e8.bookmark where task_id = $1),
    since as (
      select coalesce(max(seq), 0) as events, coalesce(sum(octet_length(doc::text)), 0) as bytes
      from e8.event where task_id = $1 and seq > (select events from before))
  insert into e8.bookmark (task_id, records, made_by, doc, events, bytes)
  select task_id, $3, $4, $5, greatest(before.events, since.events), before.bytes + since.bytes from held, before, since
  on conflict (task_id) do update set records = excluded.records, made_by = excluded.made_by, doc = excluded.doc,
    events = excluded.events, bytes = excluded.bytes`;

export async function keepBookmark(task: FencedTask, { records, state, context }: Bookmark): Promise<void> {
  const values = [task.id, task.fence, records, packageVersion(), storedJson({ state, context })];
  await task.database.ask(KEEP, values, task.patience);
}
