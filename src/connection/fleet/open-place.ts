import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import type { TaskId } from "../../model/task.ts";
import { type Git, gitAt } from "../git/checkout.ts";
import type { MachinePlace, PlaceRequest, PlaceState } from "../ports/machine-place.ts";
import { endOrphans } from "../processes/process-tree.ts";
import { projectState } from "../state-directory.ts";
import { readLock, takeLock } from "../stores/files/lock.ts";
import { MACHINE_DIRECTORY, RECORDS_DIRECTORY } from "../stores/files/task-paths.ts";
import { roomOf } from "../workspace/room.ts";
import { careFor } from "./care.ts";
import { addSubmodules, layOut } from "./lay-out.ts";
import { type Mirror, openMirror, PLACE_NAME, unusable } from "./mirror.ts";
import { remoteThrough } from "./remote.ts";
import { TaskRefs } from "./task-refs.ts";

/** Opens a checkout for a task: its own, and a new one each time. */
export async function openPlace(request: PlaceRequest, environment: Environment = process.env): Promise<MachinePlace> {
  const { task_id, repository, signal } = request;
  const mirror = await openMirror(repository.url, { environment, signal });
  const refs = new TaskRefs(mirror, task_id, signal);
  await refs.fetch();
  const { home, top, release } = await reserve(mirror, task_id, signal);
  const close = async () => {
    await removePlace(home);
    await release();
    await careFor(mirror, signal).catch(() => {}); // it is tried again the next day
  };
  try {
    const git = await emptyCheckout(mirror, { top, task_id, environment });
    const wanted = { base_commit: repository.base_commit ?? (await tipOf(mirror, repository.base)), ...request };
    return await placeAt(request, { mirror, refs, top, git, environment, close }, wanted);
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  mirror: Mirror;
  refs: TaskRefs;
  top: string;
  git: Git;
  environment: Environment;
  close(): Promise<void>;
}

async function placeAt(
  { task_id, repository, signal }: PlaceRequest,
  { mirror, refs, top, git, environment, close }: Parts,
  { base_commit, snapshot }: PlaceState,
): Promise<MachinePlace> {
  let state: PlaceState = { base_commit, snapshot };
  const make = async (wanted: PlaceState) => {
    for (const commit of [wanted.base_commit, wanted.snapshot])
      if (commit !== undefined && !(await refs.has(commit)))
        throw new E8Error("snapshot_lost", { repository: repository.url, id: task_id, commit });
    await layOut(git, { base_commit: wanted.base_commit });
    await addSubmodules(git);
    if (wanted.snapshot !== undefined) await layOut(git, wanted);
    state = wanted;
  };
  await make(state);
  const directory = repository.path === "" ? top : join(top, repository.path);
  return {
    home: dirname(top),
    top,
    directory,
    mirror: mirror.directory,
    places: mirror.places,
    name: `${hostname()}:${environment.HOME || homedir()}`,
    remote: remoteThrough(mirror, { checkout: top, signal }),
    get state() {
      return state;
    },
    goTo: async (wanted) => {
      await endOthers(mirror, task_id, top);
      if (wanted.base_commit === state.base_commit && wanted.snapshot === state.snapshot) return;
      await refs.fetch();
      await make(wanted);
    },
    keep: (label, commit, verify) => refs.push(label, { commit, from: top }, verify),
    close,
  };
}

async function tipOf({ git, url }: Mirror, base: string): Promise<string> {
  const { exit_code, output } = await git(["rev-parse", "--verify", "--quiet", `refs/heads/${base}^{commit}`]);
  if (exit_code !== 0) throw new E8Error("remote_base_missing", { repository: url, base });
  return output.trim();
}

/** Beside the checkout: a worker can write everything in it. */
const LOCK = ".lock";

/** A new directory that is ours. Those of processes that have died go first. */
function reserve(mirror: Mirror, task_id: TaskId, signal: AbortSignal) {
  return mirror.locked(async () => {
    await removeLeftovers(mirror);
    const home = join(mirror.places, `${task_id}-${randomBytes(4).toString("hex")}`);
    const top = join(
      home,
      basename(mirror.url)
        .replace(/\.git$/, "")
        .replaceAll(/[^\w.-]/g, "_") || "project",
    );
    await mkdir(top, { recursive: true });
    const lock = await takeLock(`${home}${LOCK}`, { id: task_id, project: top });
    if ("rival" in lock)
      throw new E8Error("place_unusable", { path: home, problem: message("worktree_path_taken", { path: home }) });
    return { home, top, release: () => lock.release() };
  }, signal);
}

async function removeLeftovers(mirror: Mirror): Promise<void> {
  for (const name of await readdir(mirror.places).catch(() => [])) {
    const home = join(mirror.places, name);
    if (!PLACE_NAME.test(name) || (await readLock(`${home}${LOCK}`).catch(() => undefined))) continue;
    await endProcessesIn(mirror, name);
    await removePlace(home);
    await rm(`${home}${LOCK}`, { force: true });
  }
}

/** With what is kept elsewhere for a checkout: its clean room, and the files that it guards. */
async function removePlace(home: string): Promise<void> {
  for (const { name } of await directoriesIn(home)) {
    const top = join(home, name);
    await rm(roomOf(top), { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    await rm(projectState(top), { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

async function directoriesIn(home: string) {
  const entries = await readdir(home, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory());
}

/** The runs that had the task before ours: one that was frozen must not have its agents work on. */
async function endOthers(mirror: Mirror, task_id: TaskId, own: string): Promise<void> {
  const names = await readdir(mirror.places).catch(() => []);
  const others = names.filter((name) => PLACE_NAME.exec(name)?.[1] === task_id && name !== basename(dirname(own)));
  for (const name of others) await endProcessesIn(mirror, name);
}

/** Those that carry the mark of the task's run in that checkout. */
async function endProcessesIn({ places }: Mirror, name: string): Promise<void> {
  const task_id = PLACE_NAME.exec(name)?.[1];
  if (task_id === undefined) return;
  for (const one of await directoriesIn(join(places, name)))
    await endOrphans(join(places, name, one.name, RECORDS_DIRECTORY, MACHINE_DIRECTORY, task_id)).catch(() => {});
}

/** A repository that reads the mirror's objects and has the refs that a clone would have. */
async function emptyCheckout(
  mirror: Mirror,
  { top, task_id, environment }: { top: string; task_id: TaskId; environment: Environment },
): Promise<Git> {
  const git = gitAt(top, { environment });
  const must = async (...words: string[]) => {
    const answer = await git(words);
    if (answer.exit_code !== 0) throw unusable(top, words[0] ?? "", answer);
  };
  await must("init", "--quiet", "--template=");
  const info = join(top, ".git", "objects", "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "alternates"), `${join(mirror.directory, "objects")}\n`);
  const refs = [
    "+refs/heads/*:refs/remotes/origin/*",
    "+refs/tags/*:refs/tags/*",
    `+refs/e8/${task_id}/*:refs/e8/${task_id}/*`,
  ];
  await must("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", mirror.directory, ...refs);
  await must("config", "remote.origin.url", mirror.url);
  await must("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  return git;
}
