import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { HistoryRecord, Note } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { RunContext } from "./run-context.ts";

interface NoteLog {
  readonly state: RunState;
  enter(record: HistoryRecord): Promise<void>;
}

/**
 * Records the notes that the user has left, for the worker of this iteration. A note is removed only when it is recorded: a run that is
 * killed in between finds it again, and knows it.
 */
export async function* takeNotes(
  { ports }: RunContext,
  log: NoteLog,
  iteration: number,
): AsyncGenerator<RunEvent, void> {
  for (const note of await ports.store.notes.waiting()) {
    if (isNew(note, log.state)) {
      await log.enter({ type: "note", ...note, iteration, timestamp: ports.clock.now().toISOString() });
      yield { type: "note", iteration, text: note.text };
    }
    await ports.store.notes.remove(note.note_id);
  }
}

/** Says at the end of a run that notes came too late for a worker. A resumed run takes them up, unless the task `is_over`. */
export async function* tellOfUnreadNotes(
  { ports }: RunContext,
  state: RunState,
  is_over: boolean,
): AsyncGenerator<RunEvent, void> {
  const waiting = await ports.store.notes.waiting().catch(() => []);
  const count = waiting.filter((note) => isNew(note, state)).length;
  if (count > 0) yield { type: "notice", notice: notice("notes_unread", { count, is_over }) };
}

function isNew({ note_id }: Note, { notes }: RunState): boolean {
  return notes.every((known) => known.note_id !== note_id);
}
