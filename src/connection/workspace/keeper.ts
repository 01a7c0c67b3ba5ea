import { join, relative } from "node:path";
import { message } from "../../model/message.ts";
import type { Workspace } from "../ports/workspace.ts";
import { changesSince } from "./changed-files.ts";
import { IgnoredFiles } from "./ignored.ts";
import { PinnedStore } from "./pinned-store.ts";
import { nameFrom } from "./project-files.ts";
import { type Repository, repositoryOf } from "./repository.ts";
import { restore } from "./restoring.ts";
import { Room, type RoomSettings } from "./room.ts";
import { Snapshots } from "./snapshots.ts";
import { Trees } from "./trees.ts";

interface Keeping {
  directory: string;
  project: string;
  /** Of the task: our index and the list of ignored files are in it. */
  folder?: string;
  task?: string;
  settings?: RoomSettings;
  /** A file that no snapshot may hold: the worker could read it there. */
  leaves_out?: string | undefined;
}

type Keeper = Omit<Workspace, "watch" | "look" | "digests">;

/** The parts of a workspace that keep its files. The repository is looked for when it is needed first. */
export function keeperOf({ directory, project, folder, task = "task", settings = PLAIN, ...rest }: Keeping): Keeper {
  let parts: Promise<Parts | undefined> | undefined;
  const found = () => {
    parts ??=
      folder === undefined
        ? Promise.resolve(undefined)
        : partsOf({ directory, project, folder, task, settings, leaves_out: rest.leaves_out });
    return parts;
  };
  const nowhere = { problem: message("git_missing", {}) };
  return {
    snapshot: async (label) => (await found())?.snapshots.keep(label) ?? nowhere,
    isSame: async (one, other) => (await (await found())?.snapshots.isSame(one, other)) ?? false,
    ignoredWritten: async (since) => (await (await found())?.ignored.written(since)) ?? [],
    changes: async (from, to) => (await found())?.snapshots.changes(from, to),
    totals: async (commits) => (await found())?.snapshots.totals(commits) ?? commits.slice(1).map(() => null),
    mixed: async (commit, sources) => (await found())?.snapshots.mixed(commit, sources),
    whole: async (commit) => (await (await found())?.snapshots.whole(commit)) ?? commit,
    adopt: async (label, commit) => await (await found())?.snapshots.adopt(label, commit),
    diff: async (from, to, paths) => (await found())?.snapshots.diff(from, to, paths) ?? "",
    fileDiffs: async (from, to, paths) => (await found())?.snapshots.fileDiffs(from, to, paths) ?? new Map(),
    paths: async (commit) => (await found())?.snapshots.paths(commit) ?? [],
    textsAt: async (commit, paths) => (await found())?.snapshots.texts(commit, paths) ?? new Map(),
    mentions: async (commit, words) => (await found())?.snapshots.mentions(commit, words) ?? new Map(),
    linksOut: async (from, to) => (await found())?.snapshots.linksOut(from, to) ?? [],
    restore: async (commit) => {
      const all = await found();
      return all ? restore({ ...all, task }, commit) : nowhere;
    },
    keepIgnored: async () => await (await found())?.ignored.keep(),
    ignoredAtStart: async () => {
      const all = await found();
      const files = (await all?.ignored.atStart()) ?? [];
      return files.map(([path]) => nameFrom(project, join(all?.repository.top ?? "", path)));
    },
    ignoredChanges: async () => {
      const all = await found();
      const changes = (await all?.ignored.changes()) ?? [];
      return changes.map(({ path, status }) => ({
        path: nameFrom(project, join(all?.repository.top ?? "", path)),
        status,
        ...(all?.room.isMadeBySetup(path) && { is_made_by_setup: true }),
      }));
    },
    checkout: async (commit, toolchain) => (await found())?.room.checkout(commit, toolchain) ?? nowhere,
    removeRoom: async () => await (await found())?.room.remove(),
    forget: async (options) => (await (await found())?.snapshots.forget(options)) ?? { removed: 0, kept: 0 },
    changesSince: async (start, seen) => {
      const { repository, trees, snapshots } = (start === undefined ? undefined : await found()) ?? {};
      return changesSince({ repository, trees, snapshots, directory, project }, start, seen);
    },
  };
}

const INDEX = "index";
const PLAIN: RoomSettings = { setup: [], keep: [] };

interface Parts {
  repository: Repository;
  trees: Trees;
  snapshots: Snapshots;
  ignored: IgnoredFiles;
  room: Room;
}

async function partsOf(keeping: Required<Keeping>): Promise<Parts | undefined> {
  const { directory, project, folder, task, settings, leaves_out } = keeping;
  const repository = await repositoryOf(directory, join(project, ".e8", "repository"));
  if (!repository) return undefined;
  const store = new PinnedStore(repository, join(folder, "git"));
  const trees = new Trees(repository, store, join(folder, INDEX));
  if (leaves_out !== undefined) trees.leaveOut(relative(repository.top, leaves_out));
  const ignored = new IgnoredFiles(repository, join(folder, "ignored"), () => trees.leftOut());
  let room: Room | undefined;
  return {
    repository,
    trees,
    snapshots: new Snapshots(repository, trees, { project, task }),
    ignored,
    get room() {
      room ??= new Room({ repository, store, ignored, directory, project, task, settings });
      return room;
    },
  };
}
