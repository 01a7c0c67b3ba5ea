import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RawLog } from "../agents/raw-log.ts";

export interface RawLogOptions {
  directory: string;
  /** False: of every answer only the result is kept, not each message on the way. */
  every_message: boolean;
}

/** `iteration-003.jsonl` for the executor, `iteration-003.judge.jsonl` for the roles around it. */
export function rawLogFiles({ directory, every_message }: RawLogOptions): RawLog {
  const made = mkdir(directory, { recursive: true });
  made.catch(() => {}); // whoever writes first meets it
  return async (iteration, role, line) => {
    if (!every_message && !line.includes('"type":"result"')) return;
    await made;
    const suffix = role === "executor" ? "" : `.${role}`;
    const name = `iteration-${String(iteration).padStart(3, "0")}${suffix}.jsonl`;
    await appendFile(join(directory, name), `${line}\n`);
  };
}
