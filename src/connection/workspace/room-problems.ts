import { statfs } from "node:fs/promises";
import { type Message, message } from "../../model/message.ts";
import { isDiskFull, problemOf } from "../stores/files/faults.ts";

const GIGABYTE = 1024 ** 3;
/** More ignored files than this are not copied. */
const MOST_GIGABYTES = 4;
/** A disk with less than this is full. */
const LEAST_BYTES = 64 * 1024;

class TooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`${bytes} bytes of ignored files`);
    this.bytes = bytes;
  }
}

/** Why there is no room in `home`. */
export async function roomProblem(fault: unknown, { home, path }: { home: string; path: string }): Promise<Message> {
  const error = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
  if (error instanceof TooLarge)
    return message("room_too_large", { gigabytes: Math.ceil(error.bytes / GIGABYTE), most: MOST_GIGABYTES });
  const problem = problemOf(error);
  const isFull =
    isDiskFull(error) || /No space left on device|Disk quota exceeded/.test(problem) || (await hasNoSpace(home));
  return isFull ? message("room_full", { path }) : message("room_failed", { problem });
}

/** Programs do not always say that this was what stopped them: git says "unable to write file". */
export async function hasNoSpace(path: string): Promise<boolean> {
  const system = await statfs(path).catch(() => undefined);
  if (!system) return false;
  return system.bavail * system.bsize < LEAST_BYTES || (system.files > 0 && system.ffree === 0);
}

export function refuseTooLarge(bytes: number): void {
  if (bytes > MOST_GIGABYTES * GIGABYTE) throw new TooLarge(bytes);
}
