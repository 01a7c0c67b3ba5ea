import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Digests } from "../../model/digests.ts";
import { E8Error } from "../../model/errors.ts";
import { digestOf } from "../files.ts";
import { errorCode } from "../stores/files/faults.ts";

/** The digests are stored in task.json, which is read whenever tasks are listed. */
const MOST_FILES = 5000;

/** A digest of each matching file: its content and whether it is executable, or the target of a link. */
export async function digestsOf(
  directory: string,
  patterns: readonly string[],
  limit: number = MOST_FILES,
): Promise<Digests> {
  const { glob } = await import("tinyglobby");
  const paths = await glob(patterns, {
    cwd: directory,
    dot: true,
    followSymbolicLinks: false,
    ignore: ignored(patterns),
  });
  if (paths.length > limit)
    throw new E8Error("files_too_many", { files: patterns.join(", "), count: paths.length, limit });
  const digests: [string, string][] = [];
  for (const path of paths.sort()) {
    await setImmediate(); // reading here is faster than in another thread, but must not block everything else
    digests.push([path, digestAt(join(directory, path))]);
  }
  return Object.fromEntries(digests);
}

/** Our records and git's change with every run; installed packages count only when a pattern names them. */
function ignored(patterns: readonly string[]): string[] {
  const namesInstalled = patterns.some((pattern) => pattern.includes(INSTALLED));
  return ["**/.git/**", "**/.e8/**", ...(namesInstalled ? [] : [`**/${INSTALLED}/**`])];
}

const INSTALLED = "node_modules";

function digestAt(path: string): string {
  try {
    return whatIsAt(path);
  } catch (error) {
    return `unreadable: ${errorCode(error)}`;
  }
}

/** Undefined when nothing is there. Throws when it cannot be read. */
export function whatIsIn(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false }); // an error takes longer than this answer
  return found && whatIs(path, found);
}

/** Throws when it cannot be read. */
export function whatIsAt(path: string): string {
  return whatIs(path, lstatSync(path));
}

function whatIs(path: string, found: Stats): string {
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!found.isFile()) return "no file";
  return `${contentDigest(path)}${found.mode & constants.S_IXUSR ? " executable" : ""}`;
}

/** Must not wait if a pipe has replaced the file meanwhile. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function contentDigest(path: string): string {
  const file = openSync(path, READ_ONLY);
  try {
    return digestOf(file, fstatSync(file).size).digest("base64url");
  } finally {
    closeSync(file);
  }
}
