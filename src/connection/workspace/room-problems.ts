import { type Message, message } from "../../model/message.ts";
import { isDiskFull } from "../stores/files/faults.ts";

const GIGABYTE = 1024 ** 3;
/** More ignored files than this are not copied. */
const MOST_GIGABYTES = 4;

class TooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`${bytes} bytes of ignored files`);
    this.bytes = bytes;
  }
}

/** Why there is no room. */
export function roomProblem(error: unknown, path: string): Message {
  if (error instanceof TooLarge)
    return message("room_too_large", { gigabytes: Math.ceil(error.bytes / GIGABYTE), most: MOST_GIGABYTES });
  const problem = error instanceof Error ? error.message : String(error);
  const isFull = isDiskFull(error) || /No space left on device|Disk quota exceeded/.test(problem);
  return isFull ? message("room_full", { path }) : message("room_failed", { problem });
}

export function refuseTooLarge(bytes: number): void {
  if (bytes > MOST_GIGABYTES * GIGABYTE) throw new TooLarge(bytes);
}
