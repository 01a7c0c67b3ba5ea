import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { relative, resolve } from "node:path";
import { readHead } from "../git/own-files.ts";
import type { FileLook } from "../ports/workspace.ts";
import { askGit } from "../processes/git.ts";
import { errorCode } from "../stores/files/faults.ts";
import { isPrivate, mayBeInRepository } from "./project-files.ts";

interface LookOptions {
  /** Names are relative to it. */
  project: string;
  /** What is watched. Files outside of it are left out. */
  top: string;
  /** The commit to compare long files with. */
  base: string | undefined;
  characters: number;
}

/** Each may start a program. */
const MOST_FILES = 20;

export async function lookAt(paths: readonly string[], options: LookOptions): Promise<FileLook[]> {
  const looks: FileLook[] = [];
  for (const path of paths.filter((one) => isInside(one, options)).slice(0, MOST_FILES)) {
    const look = await lookAtOne(path, options);
    if (look) looks.push(look);
  }
  return looks;
}

/** Undefined without git, and before the first commit. */
export async function currentCommit(directory: string): Promise<string | undefined> {
  if (!mayBeInRepository(directory)) return undefined;
  const read = readHead(directory);
  if (read) return read.commit;
  const { exit_code, output } = await askGit(["rev-parse", "--verify", "--quiet", "HEAD"], { directory });
  return exit_code === 0 ? output.trim() : undefined;
}

function isInside(path: string, { project, top }: LookOptions): boolean {
  const name = relative(top, resolve(project, path));
  return name !== "" && name !== ".." && !name.startsWith("../") && !isPrivate(name);
}

async function lookAtOne(path: string, options: LookOptions): Promise<FileLook | undefined> {
  const { characters } = options;
  const head = headAt(resolve(options.project, path), characters);
  if (head === "absent") return { path, kind: "deleted", text: "", is_cut: false };
  if (head === undefined) return undefined;
  if (head.text.includes("\0")) return { path, kind: "binary", text: "", is_cut: false };
  const diff = head.is_cut ? await diffOf(path, options) : "";
  if (diff === "") return { path, kind: "text", ...head };
  return { path, kind: "diff", text: diff.slice(0, characters).toWellFormed(), is_cut: diff.length > characters };
}

/** Must neither wait for a pipe nor follow a link. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const LONGEST_CHARACTER_BYTES = 4;

function headAt(path: string, characters: number): { text: string; is_cut: boolean } | "absent" | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READ_ONLY);
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, characters * LONGEST_CHARACTER_BYTES));
    const text = bytes.subarray(0, readSync(file, bytes)).toString();
    return {
      text: text.slice(0, characters).toWellFormed(),
      is_cut: text.length > characters || bytes.length < stats.size,
    };
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "absent" : undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Empty for a file that git does not know. Runs no diff program of the repository. */
async function diffOf(path: string, { project, top, base }: LookOptions): Promise<string> {
  if (base === undefined) return "";
  const options = ["--no-color", "--no-ext-diff", "--no-textconv"];
  const args = ["--literal-pathspecs", "diff", ...options, base, "--", resolve(project, path)];
  const { exit_code, output } = await askGit(args, { directory: top, timeout_seconds: 10 });
  return exit_code === 0 ? output : "";
}
