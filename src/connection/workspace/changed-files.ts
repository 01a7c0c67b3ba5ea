import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { ChangedFile, ChangeTotals } from "../../model/changes.ts";
import { knownTree } from "../git/commits.ts";
import { nameFrom } from "./project-files.ts";
import type { Repository } from "./repository.ts";
import type { Snapshots } from "./snapshots.ts";
import type { Trees } from "./trees.ts";

interface Compared {
  repository: Repository | undefined;
  trees: Trees | undefined;
  snapshots: Snapshots | undefined;
  directory: string;
  project: string;
}

/** As the port says: what git sees, and what watches have seen that git does not. */
export async function changesSince(
  { repository, trees, snapshots, directory, project }: Compared,
  start: string | undefined,
  seen: readonly string[],
): Promise<ChangedFile[]> {
  const written = start === undefined ? undefined : await trees?.write();
  const now = written && "tree" in written ? written.tree : undefined;
  const isSame = start !== undefined && now !== undefined && knownTree(start) === now;
  const isKnown = start !== undefined && now !== undefined;
  const known = isSame ? [] : isKnown ? await snapshots?.differences(start, now) : undefined;
  const all = known?.map((file) => ({ ...file, path: join(repository?.top ?? directory, file.path) })) ?? [];
  const named = all.map((file) => ({ ...file, path: nameFrom(project, file.path) }));
  const listed = new Set(named.map(({ path }) => path));
  const others = seen.filter((path) => !listed.has(path));
  const unknown =
    repository && known && now !== undefined && others.length > 0
      ? await unseen({ repository, project, now }, others)
      : others;
  return [...named, ...unknown.map((path) => ({ path, status: null, added: null, removed: null }))].sort(byPath);
}

function byPath(left: ChangedFile, right: ChangedFile): number {
  return left.path < right.path ? -1 : 1;
}

/** Files that are there and not in the tree. A file in the tree is as it was at the start; one that is gone came and went. */
async function unseen(
  { repository: { git, top }, project, now }: { repository: Repository; project: string; now: string },
  paths: readonly string[],
): Promise<string[]> {
  const { output } = await git(["ls-tree", "-r", "-z", "--name-only", now]);
  const kept = new Set(output.split("\0"));
  return paths.filter((path) => {
    const whole = resolve(project, path);
    return existsSync(whole) && !kept.has(relative(top, whole));
  });
}

const STATUSES: Readonly<Record<string, ChangedFile["status"]>> = { A: "added", D: "deleted" };

/** First `:<modes and ids> M`, then the path, of each file; then `<added>\t<removed>\t<path>` of each, `-` for binary files. */
export function filesIn(fields: readonly string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const [index, field] of fields.entries()) {
    const lines = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(field);
    if (field.startsWith(":") && /^:\d{6} /.test(field)) {
      const path = fields[index + 1] ?? "";
      files.set(path, { path, status: STATUSES[field.at(-1) ?? ""] ?? "modified", added: null, removed: null });
    } else if (lines) {
      const [, added = "-", removed = "-", path = ""] = lines;
      const file = files.get(path);
      if (file) files.set(path, { ...file, added: counted(added), removed: counted(removed) });
    }
  }
  return [...files.values()];
}

function counted(lines: string): number | null {
  return lines === "-" ? null : Number(lines);
}

/** After a commit's own line, one `<added>\t<removed>\t<path>` for each file. Git leaves out pairs whose first commit is gone. */
export function totalsIn(lines: readonly string[], pairs: readonly { commit: string }[]): (ChangeTotals | null)[] {
  let next = 0;
  return pairs.map(({ commit }) => {
    if (lines[next] !== commit) return null;
    next += 1;
    const totals = { files: 0, added: 0, removed: 0 };
    for (let fields = /^(\d+|-)\t(\d+|-)\t/.exec(lines[next] ?? ""); fields; ) {
      totals.files += 1;
      totals.added += Number(fields[1]) || 0;
      totals.removed += Number(fields[2]) || 0;
      next += 1;
      fields = /^(\d+|-)\t(\d+|-)\t/.exec(lines[next] ?? "");
    }
    return totals;
  });
}
