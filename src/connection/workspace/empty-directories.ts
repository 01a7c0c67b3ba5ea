import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { errorCode } from "../stores/files/faults.ts";
import { OURS, statOf } from "./file-stamps.ts";
import type { Repository } from "./repository.ts";

/** A directory with nothing in it, which no commit can hold. */
export const EmptyDirectory = z.object({ path: z.string(), is_ignored: z.boolean() });
export type EmptyDirectory = z.infer<typeof EmptyDirectory>;

const MOST = 10_000;
const LISTING = ["ls-files", "-z", "--others", "--exclude-standard", "--directory"];

/** Those of the repository. `ignored`: the entries that git ignores. */
export async function emptyDirectories(
  { git, top }: Pick<Repository, "git" | "top">,
  ignored: readonly string[],
): Promise<EmptyDirectory[]> {
  const { output } = await git(LISTING);
  const found: EmptyDirectory[] = [];
  for (const [entries, is_ignored] of [
    [output.split("\0"), false],
    [ignored, true],
  ] as const)
    for (const entry of entries.filter((one) => one.endsWith("/")))
      await lookBelow(top, { path: entry.slice(0, -1), is_ignored }, found);
  return found;
}

async function lookBelow(top: string, { path, is_ignored }: EmptyDirectory, found: EmptyDirectory[]): Promise<void> {
  if (found.length >= MOST || OURS.test(path) || !statOf(join(top, path))?.isDirectory()) return;
  await setImmediate();
  const entries = entriesIn(join(top, path));
  if (entries?.length === 0) found.push({ path, is_ignored });
  for (const entry of entries ?? [])
    if (entry.isDirectory()) await lookBelow(top, { path: `${path}/${entry.name}`, is_ignored }, found);
}

function entriesIn(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** The work may have a file in the place of the directory, or of one above it. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if (!["EEXIST", "ENOTDIR"].includes(errorCode(error) ?? "")) throw error;
  }
}
