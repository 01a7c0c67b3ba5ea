import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { NewTask } from "../../src/connection/ports/task-store.ts";
import type { Configuration } from "../../src/model/configuration.ts";
import type { TaskId } from "../../src/model/task.ts";
import { PLAIN_CONFIGURATION } from "./plain-configuration.ts";
import type { MadeStore } from "./postgres-store.ts";
import { git, repository } from "./repository.ts";
import { configuration } from "./stored.ts";
import { temporaryDirectory } from "./temporary.ts";

/** A bare repository that machines share, with one commit on `main`. */
export async function sharedRemote(files: Record<string, string> = { "a.txt": "start\n", ".gitignore": "*.log\n" }) {
  const first = await repository(files);
  await git(first, "branch", "-M", "main");
  const url = join(await temporaryDirectory(), "app.git");
  await git(first, "clone", "-q", "--bare", first, url);
  return { url, first, refs: () => refsOf(url) };
}

/** What a repository has of a task, by ref. */
async function refsOf(url: string): Promise<Record<string, string>> {
  const lines = (await git(url, "for-each-ref", "--format=%(refname) %(objectname)")).split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
}

/** The environment of one machine: its own home, and so its own cache. */
export async function machine(): Promise<NodeJS.ProcessEnv & { HOME: string }> {
  const home = await temporaryDirectory();
  await mkdir(join(home, "tmp"));
  const { XDG_CACHE_HOME: _, XDG_STATE_HOME: __, ...rest } = process.env;
  return { ...rest, HOME: home };
}

/** What a machine has left of checkouts. */
export async function placesOf({ HOME }: { HOME: string }): Promise<string[]> {
  const fleet = join(HOME, ".cache/endless8/fleet");
  const names = await readdir(fleet).catch(() => []);
  return (await Promise.all(names.map((name) => readdir(join(fleet, name, "places"))))).flat();
}

/** Gives a task that any machine may work on. */
export async function submitted(
  { store, directory }: Pick<MadeStore, "store" | "directory">,
  url: string,
  { agent, ...more }: Partial<Configuration> & { agent: string },
  task: Partial<NewTask> = {},
): Promise<TaskId> {
  const settings = {
    working_directory: directory,
    proof: "auto" as const,
    agent: { command: agent },
    models: { ...PLAIN_CONFIGURATION.models, summarizer: "none" },
    ...more,
  };
  return store.create({
    configuration: configuration(settings),
    now: new Date("2026-01-23T10:00:00Z"),
    repository: { url, base: "main", path: "" },
    ...task,
  });
}
