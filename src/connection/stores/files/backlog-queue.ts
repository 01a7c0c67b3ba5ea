import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { QueueRecord } from "../../../model/backlog.ts";
import { E8Error } from "../../../model/errors.ts";
import type { BacklogQueue } from "../../ports/backlog.ts";
import { writeFault } from "./faults.ts";
import { openJournal } from "./journal.ts";
import { readRecords } from "./json-lines.ts";
import { describeHolder, takeLock } from "./lock.ts";
import { RECORDS_DIRECTORY } from "./task-paths.ts";

const FOLDER = "backlog";

/** Takes the project's backlog, or throws `backlog_taken` while another process works through it. */
export async function openQueue(project: string): Promise<BacklogQueue> {
  const folder = join(project, RECORDS_DIRECTORY, FOLDER);
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw writeFault(error, folder);
  });
  const path = join(folder, "lock");
  const lock = await takeLock(path, { id: FOLDER });
  if ("rival" in lock) throw new E8Error("backlog_taken", describeHolder(lock.rival, path));
  const guard = async () => void (await lock.keep());
  const journal = await openJournal(join(folder, "queue.jsonl"), QueueRecord, () => {}, { guard });
  return {
    records: () => journal.read(),
    append: async (record) => void (await journal.append(record)),
    release: async () => {
      await journal.close();
      await lock.release();
    },
  };
}

/** Where the files are that one turn of an issue hands to the next. */
export function handedFolder(project: string, issue: number): string {
  return join(project, RECORDS_DIRECTORY, FOLDER, "handed", String(issue));
}

/** The records as they are now, without the lock. */
export function readQueue(project: string): AsyncIterable<QueueRecord> {
  return readRecords(join(project, RECORDS_DIRECTORY, FOLDER, "queue.jsonl"), QueueRecord, () => {});
}
