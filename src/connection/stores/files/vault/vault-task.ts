import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { E8Error } from "../../../../model/errors.ts";
import { publicTask } from "../../../../model/hidden.ts";
import { Task } from "../../../../model/task.ts";
import { replaceFile } from "../durable.ts";
import { problemOf } from "../faults.ts";
import { taskText } from "../task-text.ts";

/** A task as it counts, with its hidden commands. `now`, `before`: digests of its public text, and of the one that it replaces. */
const VaultTask = z.object({ before: z.string().nullable(), now: z.string(), task: Task });
export type VaultTask = z.infer<typeof VaultTask>;

export async function readVaultTask(path: string): Promise<VaultTask> {
  try {
    return VaultTask.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new E8Error("task_file_broken", { path, problem: problemOf(error) }, { cause: error });
  }
}

const Unchecked = z.object({ task: z.unknown() });

/** The task's JSON, unchecked, for a list. */
export function peekVaultTask(path: string): unknown {
  return Unchecked.parse(JSON.parse(readFileSync(path, "utf8"))).task;
}

/** Written before the public text: a run killed in between has left the public text that `before` names. */
export async function writeVaultTask(path: string, task: Task, publicTextBefore: string | undefined): Promise<void> {
  const before = publicTextBefore === undefined ? null : textDigest(publicTextBefore);
  const now = textDigest(taskText(publicTask(task)));
  await replaceFile(path, `${JSON.stringify({ before, now, task })}\n`);
}

export function textDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
