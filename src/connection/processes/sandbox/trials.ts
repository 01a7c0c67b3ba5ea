import { statSync } from "node:fs";
import type { View } from "../../ports/sandbox.ts";
import { resolved } from "./paths.ts";

const possible = new Map<string, Promise<string | undefined>>();

/**
 * Tries once in this process, while it succeeds: the runs of a backlog have the same sandbox. One that fails later starts no program at
 * all, so nothing runs with less than was tried.
 */
export function oncePossible(kind: string, attempt: () => Promise<string | undefined>): Promise<string | undefined> {
  const known = possible.get(kind);
  if (known) return known;
  const trial = attempt();
  possible.set(kind, trial);
  const forget = () => possible.delete(kind);
  void trial.then((problem) => problem !== undefined && forget(), forget);
  return trial;
}

/** What decides whether the mounts can be made: their kinds and the file systems that they are on, not the directories' names. */
export function kindOfTrial({ folder, views }: { folder: string; views: readonly View[] }, sandbox: string): string {
  const kinds = views.map(({ mounts, is_read_only, network }) => ({
    ...{ is_read_only, network: typeof network === "object" ? "some" : network },
    mounts: [...new Set(resolved(mounts).map(kindOfMount))].sort(),
  }));
  return JSON.stringify([sandbox, process.env.PATH, fileSystemOf(folder), kinds]);
}

function kindOfMount(mount: ReturnType<typeof resolved>[number]): string {
  if (mount.is === "link") return mount.is;
  const places = mount.is === "bind" ? [mount.from, mount.at] : [mount.at];
  return [mount.is, mount.is === "bind" && mount.writable, ...places.map(fileSystemOf)].join(" ");
}

/** With whether it is a directory. Nothing where it is not there. */
function fileSystemOf(path: string): string {
  try {
    const found = statSync(path);
    return `${found.dev}${found.isDirectory() ? "/" : ""}`;
  } catch {
    return "";
  }
}
