import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { E8Error } from "../../model/errors.ts";
import type { TaskId } from "../../model/task.ts";
import { ensureText } from "../stores/files/durable.ts";
import { errorCode, writeFault } from "../stores/files/faults.ts";
import { describeHolder, type LockHolder, takeLock } from "../stores/files/lock.ts";
import { LOCKS_DIRECTORY, RECORDS_DIRECTORY } from "../stores/files/task-paths.ts";

/** A run and the directory that its worker changes. */
export interface Occupant {
  id: TaskId;
  project: string;
  directory: string;
  /** Works beside another run; the directory is ours only if it is free. */
  samePlace: boolean;
}

type Leave = () => Promise<void>;

/**
 * Takes a working directory for a run, or throws `place_taken` while another run works in it, of whatever project. The same directory is
 * recognized under all its names; a directory inside it is another one. Returns how to leave it.
 */
export async function occupy(occupant: Occupant): Promise<Leave> {
  const { directory, id, project, samePlace } = occupant;
  try {
    const path = await lockIn(directory);
    const taken = await takeLock(path, { id, project });
    if (!("rival" in taken)) return taken.release;
    if (samePlace) return FREE;
    throw refusal(taken.rival, occupant, path);
  } catch (error) {
    if (isUnwritable(error)) return FREE;
    throw writeFault(error, directory);
  }
}

const FREE: Leave = async () => {};

/** Named after the directory itself: a copy of it holds a copy of the lock, but is another place. */
async function lockIn(directory: string): Promise<string> {
  const place = await realpath(directory);
  const locks = join(place, RECORDS_DIRECTORY, LOCKS_DIRECTORY);
  const { ino } = await stat(place);
  await mkdir(locks, { recursive: true });
  ensureText(join(locks, ".gitignore"), "*\n");
  return join(locks, `${ino}.lock`);
}

/** A directory that is missing, or that we may not write, has no second worker of ours to fear. The run reports the rest. */
function isUnwritable(error: unknown): boolean {
  if (error instanceof E8Error) return error.code === "no_permission";
  return ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "");
}

function refusal(rival: LockHolder, { directory, id, project }: Occupant, path: string): E8Error {
  const running = rival.task ?? { id, project };
  const elsewhere = running.project === project ? {} : { project: running.project };
  return new E8Error("place_taken", { directory, id: running.id, ...elsewhere, ...describeHolder(rival, path) });
}
