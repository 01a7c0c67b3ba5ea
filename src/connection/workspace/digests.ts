import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Digests } from "../../model/digests.ts";
import { E8Error } from "../../model/errors.ts";
import { digestOf } from "../file-digest.ts";
import { errorCode } from "../stores/files/faults.ts";

/** They are kept in task.json, which is read whenever tasks are listed. */
const MOST_FILES = 5000;

/** What each file that matches is: its content and whether it can be executed, or where it points to. */
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
    ignore: apart(patterns),
  });
  if (paths.length > limit)
    throw new E8Error("files_too_many", { files: patterns.join(", "), count: paths.length, limit });
  const digests: [string, string][] = [];
  for (const path of paths.sort()) {
    await setImmediate(); // reading is over before another thread would have begun with it, but others want a turn, too
    digests.push([path, digestAt(join(directory, path))]);
  }
  return Object.fromEntries(digests);
}

/** Our records and git's change with every run; what was installed is meant only where it is named. */
function apart(patterns: readonly string[]): string[] {
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

/** Throws where it cannot be read. */
export function whatIsAt(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!found.isFile()) return "no file";
  return `${contentDigest(path)}${found.mode & constants.S_IXUSR ? " executable" : ""}`;
}

/** A pipe that has taken the file's place since must not keep us waiting. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function contentDigest(path: string): string {
  const file = openSync(path, READ_ONLY);
  try {
    return digestOf(file, fstatSync(file).size).digest("base64url");
  } finally {
    closeSync(file);
  }
}
