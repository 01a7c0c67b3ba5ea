import { openMirror } from "../connection/fleet/mirror.ts";
import { TaskRefs } from "../connection/fleet/task-refs.ts";
import type { RemoteRepository, TaskId } from "../model/task.ts";

/** Removes a task's snapshots from the remote that its machines share. Returns how many there were. */
export async function forgetRemotely({ url }: RemoteRepository, id: TaskId): Promise<number> {
  const signal = AbortSignal.timeout(LONGEST_SECONDS * 1000);
  const mirror = await openMirror(url, { environment: process.env, signal, timeout_seconds: LONGEST_SECONDS });
  return new TaskRefs(mirror, id, signal).remove();
}

/** A person waits for it. */
const LONGEST_SECONDS = 30;
