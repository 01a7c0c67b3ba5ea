import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { jsonIn } from "../model/json.ts";
import type { TaskId } from "../model/task.ts";
import { askGit } from "./processes/git.ts";
import { SETTINGS_FILE } from "./project.ts";
import { projectState } from "./state-directory.ts";
import { replaceFile, sweepDrafts } from "./stores/files/durable.ts";
import { textIn } from "./stores/files/task-text.ts";

/** Files by their path in the project: what they hold, or for long ones a digest. */
const Contents = z.record(z.string(), z.string());
type Contents = z.infer<typeof Contents>;

/** A file that a run has changed, which the user has not accepted yet. A side is undefined where the file is missing. */
const Suspect = z.object({
  task: z.string(),
  before: z.string().optional(),
  /** What the last commit had when the change was found. */
  committed: z.string().optional(),
});
const State = z.object({ task_files: z.array(z.string()), suspects: z.record(z.string(), Suspect) });
type State = z.infer<typeof State>;

/** A change of a file that decides how the next run goes. */
export interface SuspectFile {
  path: string;
  /** The task whose run has changed it. */
  task: TaskId;
  before: string | undefined;
  now: string | undefined;
}

const DEFINITIONS = ".agent";

/** Remembers the files of a project that decide how its runs go, and which of them a run has changed. */
export class GuardedFiles {
  readonly #project: string;
  readonly #folder: string;

  constructor(project: string) {
    this.#project = project;
    this.#folder = join(projectState(project), "settings");
  }

  /** A run begins: what it changes until its end is suspect. Returns what to call at its end. Where nothing can be kept, nothing is. */
  async begin(task: TaskId, taskFile: string | undefined): Promise<() => Promise<void>> {
    const name = taskFile === undefined ? undefined : this.#inside(taskFile);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const state = this.#state();
      if (name !== undefined && !state.task_files.includes(name))
        await this.#save({ ...state, task_files: [...state.task_files, name] });
      await replaceFile(this.#runPath(task), JSON.stringify(this.#contents()));
    } catch {
      return async () => {};
    }
    return () => this.#end(task).catch(() => {});
  }

  /** The changes of runs that are not accepted. `isAlive`: of a run that was killed, all changes since its beginning count. */
  async suspects(isAlive: (task: TaskId) => Promise<boolean>): Promise<SuspectFile[]> {
    await sweepDrafts(this.#folder);
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [, task] = /^(.+)\.run$/.exec(name) ?? [];
      if (task !== undefined) await ((await isAlive(task)) ? this.#compare(task) : this.#end(task));
    }
    const now = this.#contents();
    const { suspects } = this.#state();
    const open: SuspectFile[] = [];
    for (const [path, { task, before, committed }] of Object.entries(suspects)) {
      const isSettled = now[path] === before || (await this.#isCommittedSince(path, now[path], committed));
      if (isSettled) await this.accept([path]);
      else open.push({ path, task, before, now: now[path] });
    }
    return open;
  }

  async accept(paths: readonly string[]): Promise<void> {
    const state = this.#state();
    const suspects = Object.fromEntries(Object.entries(state.suspects).filter(([path]) => !paths.includes(path)));
    await this.#save({ ...state, suspects });
  }

  async #end(task: TaskId): Promise<void> {
    await this.#compare(task);
    await rm(this.#runPath(task), { force: true });
  }

  async #compare(task: TaskId): Promise<void> {
    const before = Contents.safeParse(jsonIn(textIn(this.#runPath(task)) ?? "")).data;
    if (!before) return;
    const now = this.#contents();
    const state = this.#state();
    const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
      (path) => before[path] !== now[path] && !state.suspects[path],
    );
    if (changed.length === 0) return;
    const found = await Promise.all(
      changed.map(async (path) => [path, { task, before: before[path], committed: await this.#committed(path) }]),
    );
    await this.#save({ ...state, suspects: { ...state.suspects, ...Object.fromEntries(found) } });
  }

  /** Who commits a change after the run accepts it; a worker's own commit was there when the change was found. */
  async #isCommittedSince(path: string, now: string | undefined, then: string | undefined): Promise<boolean> {
    return now !== undefined && now !== then && now === (await this.#committed(path));
  }

  async #committed(path: string): Promise<string | undefined> {
    const found = await askGit(["cat-file", "blob", `HEAD:./${path}`], { directory: this.#project });
    return found.exit_code === 0 ? bounded(found.output) : undefined;
  }

  #contents(): Contents {
    const names = [SETTINGS_FILE, "task.yaml", ...this.#state().task_files, ...definitionFiles(this.#project)];
    const texts = [...new Set(names)].map((path) => [path, textIn(join(this.#project, path))] as const);
    return Object.fromEntries(texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, bounded(text)]])));
  }

  #inside(path: string): string | undefined {
    const name = relative(this.#project, path).split(sep).join("/");
    return name.startsWith("..") ? undefined : name;
  }

  #runPath(task: TaskId): string {
    return join(this.#folder, `${task}.run`);
  }

  #state(): State {
    const stored = jsonIn(textIn(join(this.#folder, "state")) ?? "");
    return State.safeParse(stored).data ?? { task_files: [], suspects: {} };
  }

  async #save(state: State): Promise<void> {
    if (existsSync(this.#folder)) await replaceFile(join(this.#folder, "state"), JSON.stringify(state));
  }
}

/** Whether the file decides about every new run, or about the runs of this flow. */
export function isUsedBy(
  path: string,
  { taskFile, flow }: { taskFile?: string | undefined; flow?: string | undefined },
) {
  if (path === SETTINGS_FILE || path === taskFile) return true;
  return flow !== undefined && (path.startsWith(`${flow}/`) || path === `${DEFINITIONS}/config.json`);
}

const LONGEST_KEPT = 64 * 1024;
const MOST_FILES = 1000;

function bounded(text: string): string {
  return text.length <= LONGEST_KEPT ? text : createHash("sha256").update(text).digest("hex");
}

function definitionFiles(project: string): string[] {
  const root = join(project, DEFINITIONS);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files
    .map((path) => relative(project, path).split(sep).join("/"))
    .filter((path) => !path.includes("/node_modules/"))
    .slice(0, MOST_FILES);
}
