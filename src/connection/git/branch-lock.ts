import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { E8Error } from "../../model/errors.ts";
import { describeHolder, type Lock, takeLock } from "../stores/files/lock.ts";
import type { Checkout } from "./checkout.ts";

/** Who wants the lock: the task and its project. */
export interface Locker {
  id: string;
  project: string;
}

/**
 * Takes a branch for one run, or throws `branch_taken`. Git's own checks do not make two runs exclusive, and worktrees of one repository
 * share their branches, so the locks lie in the directory that they share.
 */
export async function lockBranch({ common }: Checkout, branch: string, locker: Locker): Promise<Lock> {
  const path = await lockPath(common, "branch", branch);
  const taken = await takeLock(path, locker);
  if (!("rival" in taken)) return taken;
  const id = taken.rival.task?.id ?? locker.id;
  throw new E8Error("branch_taken", { branch, id, ...describeHolder(taken.rival, path) });
}

const LOOK_AGAIN_MILLISECONDS = 200;

/** Waits until no other run lands on this base: from the merge to the push, nothing but the user may move it. */
export async function lockBase(
  { common }: Checkout,
  { base, locker }: { base: string; locker: Locker },
  signal: AbortSignal,
): Promise<Lock> {
  const path = await lockPath(common, "base", base);
  for (;;) {
    const taken = await takeLock(path, locker);
    if (!("rival" in taken)) return taken;
    await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
  }
}

async function lockPath(common: string, kind: "branch" | "base", name: string): Promise<string> {
  const folder = join(common, "e8");
  await mkdir(folder, { recursive: true });
  return join(folder, `${kind}-${encodeURIComponent(name)}.lock`);
}
