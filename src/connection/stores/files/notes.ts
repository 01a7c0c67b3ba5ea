import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { jsonIn } from "../../../model/json.ts";
import { Note } from "../../../model/records.ts";
import type { NoteBox } from "../../ports/open-task.ts";
import { replaceFile, syncDirectory } from "./durable.ts";
import { errorCode, readFault, writeFault } from "./faults.ts";
import type { Guard } from "./journal.ts";
import { OWN_DIRECTORY } from "./task-paths.ts";

const ENDING = ".json";

/** One file a note: several processes may leave notes at once, and each is there whole or not at all. */
export async function leaveNote(directory: string, text: string, now: Date): Promise<void> {
  const given_at = now.toISOString();
  const note_id = `${given_at.replaceAll(":", "-")}-${randomUUID()}`;
  try {
    await mkdir(directory, { recursive: true, mode: OWN_DIRECTORY });
    await syncDirectory(join(directory, ".."));
  } catch (error) {
    throw writeFault(error, directory);
  }
  await replaceFile(join(directory, `${note_id}${ENDING}`), JSON.stringify({ note_id, text, given_at }));
}

/** Oldest first: the names begin with the time. Files that are not notes are skipped. */
export async function readNotes(directory: string): Promise<Note[]> {
  const names = await readdir(directory).catch((error) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw readFault(error, directory);
  });
  const ids = names.filter((name) => name.endsWith(ENDING)).map((name) => basename(name, ENDING));
  const notes = await Promise.all(ids.sort().map((id) => readNote(directory, id)));
  return notes.filter((note) => note !== undefined);
}

/** Undefined for a note that the run has taken meanwhile. */
async function readNote(directory: string, note_id: string): Promise<Note | undefined> {
  const text = await readFile(join(directory, `${note_id}${ENDING}`), "utf8").catch(() => "");
  const note = Note.safeParse(jsonIn(text)).data;
  return note && { ...note, note_id };
}

export function noteBox(directory: string, guard: Guard): NoteBox {
  return {
    waiting: () => readNotes(directory),
    remove: async (note_id) => {
      await guard();
      await rm(join(directory, `${note_id}${ENDING}`), { force: true }).catch((error) => {
        throw writeFault(error, directory);
      });
    },
  };
}
