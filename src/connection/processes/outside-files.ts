import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../../model/environment.ts";

interface Whereabouts {
  environment: Environment;
  directory: string;
  /** What lies below it is in the snapshots. */
  top: string;
}

interface OutsideFiles {
  paths: ReadonlySet<string>;
  /** Of the scripts among them: they name further files and programs. */
  texts: readonly string[];
}

const PATHS = /(?<!>\s*|tee\s+|-o\s+)(?<![\w./$}~-])(?:~|\$\{?\w+\}?|\.{1,2})?(?:\/[\w.@+-]+)+/g;
const MOST_FILES = 200;
const LONGEST_TEXT = 64 * 1024;

/**
 * Files outside the project that commands name by a path, or that are `named` to programs in another way, with those that scripts among
 * them name in turn. What a check writes there is left out.
 */
export function filesOutside(
  { environment, directory, top }: Whereabouts,
  commands: readonly string[],
  named: readonly string[] = [],
): OutsideFiles {
  const paths = new Set<string>();
  const texts: string[] = [];
  const look = (text: string, from: string) => {
    for (const [word] of text.matchAll(PATHS)) {
      const path = [expanded(word, environment), join(from, word)].map((one) => resolve(from, one)).find(isThere);
      if (path !== undefined) consider(path);
    }
  };
  const consider = (path: string) => {
    if (!isWithin(top, path) && !isWritten(path, { environment, top })) add(path);
  };
  const add = (path: string) => {
    for (const file of filesAt(path)) {
      if (paths.has(file) || paths.size >= MOST_FILES) continue;
      paths.add(file);
      const text = scriptAt(file);
      if (text !== undefined) texts.push(text);
      if (text !== undefined) look(text, dirname(file));
    }
  };
  for (const command of commands) look(command, directory);
  for (const path of named) if (isThere(path)) consider(resolve(path));
  return { paths, texts };
}

function expanded(word: string, environment: Environment): string {
  const home = environment.HOME || homedir();
  const [variable, name] = /^\$\{?(\w+)\}?/.exec(word) ?? [];
  if (variable !== undefined) return `${environment[name ?? ""] ?? ""}${word.slice(variable.length)}`;
  return word.startsWith("~/") ? join(home, word.slice(2)) : word;
}

/** Places and kinds of files that programs fill as they run. */
function isWritten(path: string, { environment, top }: Pick<Whereabouts, "environment" | "top">): boolean {
  const own = [environment.HOME || homedir(), dirname(top)];
  const isShared =
    ["/tmp", "/var", tmpdir()].some((one) => isWithin(one, path)) && !own.some((one) => isWithin(one, path));
  const isTemporary = isShared || (environment.TMPDIR !== undefined && isWithin(environment.TMPDIR, path));
  const isDevice = ["/dev", "/proc", "/sys", "/run"].some((one) => isWithin(one, path));
  return isDevice || isTemporary || /\/\.cache\/|\.(log|out|tmp|pid|sock|db|sqlite\d?|lock)$/.test(path);
}

const SCRIPT = /\.((ba|z|da|k)?sh|py|[cm]?[jt]s|rb|pl|php|lua)$/;

/** A file, or the tests in a directory. */
function filesAt(path: string): string[] {
  if (!statOf(path)?.isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true }).slice(0, MOST_FILES);
  return entries.filter((one) => one.isFile() && SCRIPT.test(one.name)).map(({ name }) => join(path, name));
}

function scriptAt(path: string): string | undefined {
  const stats = statOf(path);
  if (!stats?.isFile() || stats.size > LONGEST_TEXT) return undefined;
  const text = readFileSync(path, "utf8");
  return SCRIPT.test(path) || text.startsWith("#!") ? text : undefined;
}

function isThere(path: string): boolean {
  return statOf(path) !== undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
