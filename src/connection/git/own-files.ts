import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";
import { errorCode } from "../stores/files/faults.ts";

/** Where git keeps what is a worktree's own, and what all worktrees share. */
export interface GitFolders {
  own: string;
  common: string;
}

/**
 * Of a directory that is the top of a worktree; undefined where it is not, or where git must be asked. Git's files are read here where they
 * answer by themselves: to ask git is to start a process, and a run asks the same some dozen times.
 */
export function gitFoldersIn(top: string): GitFolders | undefined {
  try {
    const path = join(top, ".git");
    const own = statSync(path).isDirectory() ? path : pointedTo(top, readFileSync(path, "utf8"));
    if (own === undefined) return undefined;
    const shared = textOf(join(own, "commondir"))?.trim();
    const common = shared === undefined ? own : resolve(own, shared);
    const isComplete = ["objects", "refs"].every((name) => existsSync(join(common, name))); // git goes on upwards otherwise
    return isComplete && headText(own) !== undefined ? { own, common } : undefined;
  } catch {
    return undefined;
  }
}

/** Where a file of git's own lies. */
export function gitPath({ own, common }: GitFolders, name: string): string {
  return join(OF_A_WORKTREE.has(name) ? own : common, name);
}

const OF_A_WORKTREE = new Set(["index", "info/sparse-checkout"]);

function pointedTo(top: string, text: string): string | undefined {
  const path = /^gitdir: (.+)\n?$/.exec(text)?.[1];
  return path === undefined ? undefined : resolve(top, path);
}

/** The branch that is checked out, and its commit. */
export interface Head {
  /** Absent where no branch is checked out. */
  ref?: string;
  commit: string;
}

/** Undefined where there is no commit yet, or where git must be asked. */
export function readHead(top: string): Head | undefined {
  const folders = gitFoldersIn(top);
  const text = folders && headText(folders.own);
  if (folders === undefined || text === undefined) return undefined;
  if (COMMIT.test(text)) return { commit: text };
  const ref = SYMBOLIC.exec(text)?.[1] ?? "";
  const commit = readRef(folders, ref);
  return commit === undefined ? undefined : { ref, commit };
}

/** The commit of a branch, or of a name of ours. Undefined where there is no such name, or where git must be asked. */
export function readRef({ common }: GitFolders, ref: string): string | undefined {
  if (!isShared(ref) || keepsTables(common)) return undefined;
  const loose = textOf(join(common, ref))?.trim();
  // First the single file: what is moved into the common one is written there before it goes.
  const found = loose ?? packed(common, ref);
  return found !== undefined && COMMIT.test(found) ? found : undefined;
}

/** What a commit says. */
export interface CommitText {
  tree: string;
  parents: readonly string[];
}

/** Undefined where the commit is not in a file of its own, as all new ones are. */
export function readCommitText({ common }: GitFolders, commit: string): CommitText | undefined {
  if (!COMMIT.test(commit)) return undefined;
  const path = join(common, "objects", commit.slice(0, 2), commit.slice(2));
  try {
    const bytes = statSync(path, { throwIfNoEntry: false }) && inflateSync(readFileSync(path));
    const [head = ""] = bytes?.toString("latin1").split("\n\n", 1) ?? [];
    const [, tree = "", parents = ""] = /^commit \d+\0tree (\w+)\n((?:parent \w+\n)*)/.exec(head) ?? [];
    return COMMIT.test(tree) ? { tree, parents: parents.match(/\w{40,}/g) ?? [] } : undefined;
  } catch {
    return undefined; // git says what is wrong with it
  }
}

/** Whether git has noted a linked worktree at this place: each names the other. False also where git must be asked. */
export function isNoted(common: string, worktree: string): boolean {
  const own = pointedTo(worktree, textOf(join(worktree, ".git")) ?? "");
  if (own === undefined || !own.startsWith(join(common, "worktrees/"))) return false;
  return textOf(join(own, "gitdir"))?.trim() === join(worktree, ".git");
}

/** The user's branches and tags, as `<object> <ref>`, in order. Undefined where git must be asked. */
export function readRefs({ common }: GitFolders): string[] | undefined {
  if (keepsTables(common)) return undefined;
  const loose = SHOWN.flatMap((folder) => refsBelow(common, folder)); // before the single file: what is moved into it is there first
  if (loose.some(([, object]) => !COMMIT.test(object))) return undefined;
  const lines = (textOf(join(common, "packed-refs")) ?? "").split("\n");
  const packed = lines
    .map((line) => line.split(" "))
    .filter(([, ref = ""]) => SHOWN.some((one) => ref.startsWith(`${one}/`)));
  const all = new Map([...packed.map(([object = "", ref = ""]) => [ref, object] as const), ...loose]);
  return [...all]
    .map(([ref, object]) => `${object} ${ref}`)
    .sort((one, other) => (nameIn(one) < nameIn(other) ? -1 : 1));
}

const SHOWN = ["refs/heads", "refs/tags"];

function nameIn(line: string): string {
  return line.slice(line.indexOf(" ") + 1);
}

function refsBelow(common: string, folder: string): [ref: string, object: string][] {
  if (!existsSync(join(common, folder))) return [];
  return readdirSync(join(common, folder), { withFileTypes: true }).flatMap((found): [string, string][] => {
    const ref = `${folder}/${found.name}`;
    if (found.isDirectory()) return refsBelow(common, ref);
    const object = textOf(join(common, ref))?.trim();
    return object === undefined || ref.endsWith(".lock") ? [] : [[ref, object]];
  });
}

/** Sets a name of ours as git would, without starting one. False where git must do it. */
export async function writeRef({ common }: GitFolders, ref: string, commit: string): Promise<boolean> {
  if (!isShared(ref) || !COMMIT.test(commit) || keepsTables(common)) return false;
  const path = join(common, ref);
  const lock = `${path}.lock`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(lock, "wx");
    try {
      writeFileSync(file, `${commit}\n`);
      await flush(file);
    } finally {
      closeSync(file);
    }
    renameSync(lock, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") removeQuietly(lock);
    return false;
  }
}

/** The only call that waits for the disk. The others are faster when synchronous. */
const flush = promisify(fsync);

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Git says why, when it is asked to do it.
  }
}

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const SYMBOLIC = /^ref: (refs\/\S+)$/;

function isShared(ref: string): boolean {
  return /^refs\/(heads|e8)\/./.test(ref) && !ref.includes("..");
}

function headText(own: string): string | undefined {
  const text = textOf(join(own, "HEAD"))?.trim() ?? "";
  return COMMIT.test(text) || SYMBOLIC.test(text) ? text : undefined;
}

/** Git has refs in tables then; it says so by a branch that cannot exist. */
function keepsTables(common: string): boolean {
  return existsSync(join(common, "reftable"));
}

function packed(common: string, ref: string): string | undefined {
  const text = textOf(join(common, "packed-refs")) ?? "";
  const end = text.indexOf(` ${ref}\n`);
  return end === -1 ? undefined : text.slice(text.lastIndexOf("\n", end) + 1, end);
}

function textOf(path: string): string | undefined {
  try {
    // First, because a file that is missing is told by an error, which takes longer than this answer.
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined; // below a file, gone meanwhile, or not readable
  }
}
