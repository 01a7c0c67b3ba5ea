import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { git, write } from "./repository.ts";
import type { Sandbox } from "./sandbox.ts";

/** What the worker of a test changes; everything else is the user's. */
const WORK = ["a.txt", "data/1.slow", "data/4.slow"];
const TRACES = ".cache/filters";
/** Of git that checks out, and of git that takes in a push. */
const HOOKS = ["post-checkout", "pre-receive", "update", "post-receive", "post-update"];

/**
 * A repository in which a user has left something everywhere: changes that are staged and not staged, a stash, hooks, files that git does
 * not know or ignores. Its filter takes a moment and notes each call, so that a test can meet git in the middle of a snapshot (`clean`)
 * or a checkout (`smudge`).
 */
export async function usersRepository({ project, home }: Sandbox): Promise<void> {
  const filter = join(home, "filter.sh");
  await write(home, { "filter.sh": `echo "$1" >> "${join(home, TRACES)}"; sleep 0.04; cat\n`, [TRACES]: "" });
  await git(project, "init", "-q", "-b", "main");
  for (const name of ["clean", "smudge"]) await git(project, "config", `filter.slow.${name}`, `sh '${filter}' ${name}`);
  await write(project, {
    ".gitattributes": "*.slow filter=slow\n",
    ".gitignore": "node_modules/\n.env\n",
    "a.txt": "start\n",
    "b.txt": "of the commit\n",
    "check.sh": "sleep 0.1; grep -q done a.txt && grep -q installed node_modules/p/index.js\n",
    "install.sh": "mkdir -p node_modules/p; sleep 0.1; echo installed > node_modules/p/index.js\n",
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`data/${n}.slow`, `${n}\n`])),
  });
  await git(project, "add", "-A");
  await git(project, "commit", "-q", "-m", "start");
  await git(project, "tag", "v1");
  await write(project, { "b.txt": "stashed\n" });
  await git(project, "stash", "-q");
  await write(project, { "staged.txt": "staged\n", "b.txt": "staged\n" });
  await git(project, "add", "staged.txt", "b.txt");
  await git(project, "rm", "-q", "--cached", "data/3.slow");
  await write(project, {
    "staged.txt": "changed after that\n",
    "data/2.slow": "not committed\n",
    "mine/notes.txt": "git does not know it\n",
    ".env": "KEY=1\n",
    "node_modules/p/index.js": "installed by the user\n",
    ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n",
    ...Object.fromEntries(HOOKS.map((hook) => [`.git/hooks/${hook}`, `#!/bin/sh\n: > '${join(home, "hook-ran")}'\n`])),
  });
  for (const hook of ["pre-commit", ...HOOKS]) await chmod(join(project, ".git/hooks", hook), 0o755);
}

/** How often the filter was called, in one direction. */
export async function filterCalls({ home }: Sandbox, direction: "clean" | "smudge"): Promise<number> {
  const lines = (await readFile(join(home, TRACES), "utf8")).split("\n");
  return lines.filter((line) => line === direction).length;
}

/** All that is the user's, byte for byte: the files, and of the repository everything but objects and snapshots. */
export async function usersState(
  { project }: Sandbox,
  work: readonly string[] = WORK,
): Promise<Record<string, string>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const isOurs = (path: string) =>
    /^(\.e8|\.git\/objects|\.git\/refs\/e8|\.git\/(logs\/)?refs\/remotes)(\/|$)/.test(path) || work.includes(path);
  const paths = files.map((file) => relative(project, file)).filter((path) => !isOurs(path));
  const found = await Promise.all(
    paths.sort().map(async (path) => {
      const content = await contentOf(join(project, path)).catch(unlessGone);
      return content === undefined ? [] : [[path, content] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** A git that outlives a killed run may remove its lock meanwhile. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function contentOf(path: string): Promise<string> {
  const { mode } = await lstat(path);
  const content = (mode & 0o170000) === 0o120000 ? await readlink(path) : await readFile(path);
  return `${mode.toString(8)} ${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
}

/** Lock files of ours and of git, anywhere in the project or in the clean room, and what clean rooms leave for a moment. */
export async function leftOver({ project, home }: Sandbox): Promise<string[]> {
  const rooms = join(home, ".cache/endless8/rooms");
  const places = [join(project, ".e8"), join(project, ".git"), rooms, join(home, "tmp")];
  const names = await Promise.all(places.map((place) => readdir(place, { recursive: true }).catch(() => [])));
  const isLeft = (path: string) => /(^|[/.])lock($|\.)|\.tmp$|^[^/]+\/tmp$|^e8-[^/]+$/.test(path);
  return names.flat().filter(isLeft);
}

/** Processes that were started in this sandbox, and their commands. None where the system does not tell. */
export function processesOf({ home }: Pick<Sandbox, "home">): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  const wordsOf = (pid: string) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isHere = environment.includes(`HOME=${home}`) || readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
      return isHere ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`] : [];
    } catch {
      return []; // it has ended
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(wordsOf);
}
