import { join } from "node:path";
import { message } from "../../model/message.ts";
import type { Workspace } from "../ports/workspace.ts";
import { IgnoredFiles } from "./ignored.ts";
import { nameFrom } from "./project-files.ts";
import { type Repository, repositoryOf } from "./repository.ts";
import { Room } from "./room.ts";
import { Snapshots } from "./snapshots.ts";
import { changesSince } from "./trees.ts";

interface Keeping {
  directory: string;
  project: string;
  /** Of the task: our index and the list of ignored files are in it. */
  folder?: string;
  task?: string;
}

type Keeper = Omit<Workspace, "watch" | "look" | "digests">;

/** The parts of a workspace that keep its files. The repository is looked for when it is needed first. */
export function keeperOf({ directory, project, folder, task = "task" }: Keeping): Keeper {
  let parts: Promise<Parts | undefined> | undefined;
  const found = () => {
    parts ??= folder === undefined ? Promise.resolve(undefined) : partsOf({ directory, project, folder, task });
    return parts;
  };
  const nowhere = { problem: message("git_missing", {}) };
  return {
    snapshot: async (label) => (await found())?.snapshots.keep(label) ?? nowhere,
    isSame: async (one, other) => (await (await found())?.snapshots.isSame(one, other)) ?? false,
    ignoredWritten: async (since) => (await (await found())?.ignored.written(since)) ?? [],
    changes: async (from, to) => (await found())?.snapshots.changes(from, to),
    totals: async (commits) => (await found())?.snapshots.totals(commits) ?? commits.slice(1).map(() => null),
    adopt: async (label, commit) => await (await found())?.snapshots.adopt(label, commit),
    diff: async (from, to, paths) => (await found())?.snapshots.diff(from, to, paths) ?? "",
    paths: async (commit) => (await found())?.snapshots.paths(commit) ?? [],
    textsAt: async (commit, paths) => (await found())?.snapshots.texts(commit, paths) ?? new Map(),
    restore: async (commit) => (await found())?.snapshots.restore(commit) ?? nowhere,
    keepIgnored: async () => await (await found())?.ignored.keep(),
    ignoredChanges: async () => {
      const { ignored, repository } = (await found()) ?? {};
      const changes = (await ignored?.changes()) ?? [];
      return changes.map((one) => ({ ...one, path: nameFrom(project, join(repository?.top ?? "", one.path)) }));
    },
    checkout: async (commit) => (await found())?.room.checkout(commit) ?? nowhere,
    forget: async () => {
      const all = await found();
      await all?.room.remove();
      return (await all?.snapshots.forget()) ?? 0;
    },
    changesSince: async (start, seen) => {
      const repository = start === undefined ? undefined : (await found())?.repository;
      return changesSince({ repository, directory, project, index: join(folder ?? "", INDEX) }, start, seen);
    },
  };
}

const INDEX = "index";

interface Parts {
  repository: Repository;
  snapshots: Snapshots;
  ignored: IgnoredFiles;
  room: Room;
}

async function partsOf({ directory, project, folder, task }: Required<Keeping>): Promise<Parts | undefined> {
  const repository = await repositoryOf(directory, join(project, ".e8", "repository"));
  if (!repository) return undefined;
  const ignored = new IgnoredFiles(repository, join(folder, "ignored"));
  return {
    repository,
    snapshots: new Snapshots(repository, { project, index: join(folder, INDEX), task }),
    ignored,
    room: new Room({ repository, ignored, directory, task }),
  };
}
