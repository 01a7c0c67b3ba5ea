import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Place, Workspace } from "../../src/connection/ports/workspace.ts";
import { createWorkspace } from "../../src/connection/workspace/workspace.ts";
import { repository } from "./repository.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Clean rooms of a test are its own. */
export async function ownRooms(): Promise<void> {
  vi.stubEnv("XDG_CACHE_HOME", await temporaryDirectory());
  onTestFinished(() => void vi.unstubAllEnvs());
}

export async function open(directory: string, project = directory): Promise<Workspace> {
  return createWorkspace(directory, { project, kept: { folder: await temporaryDirectory(), task: "t" } });
}

export async function kept(workspace: Workspace, label: string): Promise<string> {
  const found = await workspace.snapshot(label);
  if (!("commit" in found)) throw new Error(JSON.stringify(found.problem));
  return found.commit;
}

/** A change of the work, with what it leads to: the changed files, and the clean checkout of it. */
export async function worked(
  directory: string,
  work: () => Promise<unknown>,
): Promise<{ changed: string[]; place: Place }> {
  const workspace = await open(directory);
  const start = await kept(workspace, "start");
  await workspace.keepIgnored();
  await work();
  const commit = await kept(workspace, "1");
  const changed = (await workspace.changes(start, commit)) ?? [];
  const place = await workspace.checkout(commit, {});
  if ("problem" in place) throw new Error(JSON.stringify(place.problem));
  onTestFinished(() => place.release());
  return { changed: changed.map(({ path }) => path), place };
}

export const textAt = (directory: string, name: string) => readFile(join(directory, name), "utf8");

/** A repository by the path that git gives it. */
export async function made(files: Record<string, string> = { "a.txt": "1\n" }): Promise<string> {
  return realpath(await repository(files));
}
