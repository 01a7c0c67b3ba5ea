import { parse } from "yaml";
import { nameIn } from "../connection/files.ts";
import { GuardedFiles, isUsedBy, type SuspectFile } from "../connection/guarded-files.ts";
import { E8Error } from "../model/errors.ts";
import { type LeafChange, leafChanges } from "../model/leaf-changes.ts";
import type { RunOptions } from "./run-options.ts";
import { storeOf } from "./store.ts";

/** Names the files that a run would use: paths in the project. */
export interface UsedFiles {
  project: string;
  taskFile?: string | undefined;
  /** The directory of a flow. */
  flow?: string | undefined;
}

/** Throws `changes_unaccepted` where a worker has changed what this run would use, unless the user accepts it now. Accepted once, it counts. */
export async function requireAccepted(used: UsedFiles, { acceptChanges, confirm }: RunOptions): Promise<void> {
  const files = new GuardedFiles(used.project);
  const store = storeOf(used.project);
  const isAlive = async (id: string) => (await store.holder(id).catch(() => undefined)) !== undefined;
  const suspects = (await files.suspects(isAlive)).filter(({ path }) => isUsedBy(path, used));
  const [first] = suspects;
  if (!first) return;
  const details = { id: first.task, files: suspects.map(({ path }) => path), changes: suspects.flatMap(changesIn) };
  const isAccepted = acceptChanges || (await confirm?.(details));
  if (!isAccepted) throw new E8Error("changes_unaccepted", details);
  await files.accept(details.files);
}

/** For a run of a flow, new or resumed. */
export function requireAcceptedFlow(project: string, directory: string, options: RunOptions): Promise<void> {
  return requireAccepted({ project, flow: nameIn(project, directory) }, options);
}

function changesIn({ path, before, now }: SuspectFile): LeafChange[] {
  const changes = /\.ya?ml$/.test(path) ? settingChanges(before, now) : [];
  if (changes.length > 0) return changes.map((change) => ({ ...change, path: `${path} ${change.path}` }));
  return [{ path, before: before === undefined ? undefined : "…", after: now === undefined ? undefined : "…" }];
}

function settingChanges(before: string | undefined, now: string | undefined): LeafChange[] {
  try {
    return leafChanges(parse(before ?? "") ?? {}, parse(now ?? "") ?? {});
  } catch {
    return []; // one of them is broken
  }
}
