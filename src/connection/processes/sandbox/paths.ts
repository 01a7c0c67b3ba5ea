import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Mount } from "../../ports/sandbox.ts";

/**
 * Mounts that can be made, with paths that lead through no link: a mount point must not be one. The name of a bind itself is kept: what is
 * a link outside may be hidden inside.
 */
export function resolved(mounts: readonly Mount[]): Mount[] {
  return mounts.flatMap((mount): Mount[] => {
    if (mount.is === "empty") return kindOf(mount.at) === "directory" ? [{ ...mount, at: realpathSync(mount.at) }] : [];
    const at = join(withoutLinks(dirname(mount.at)), basename(mount.at));
    if (mount.is === "link") return [{ ...mount, at }];
    return kindOf(mount.from) === undefined ? [] : [{ ...mount, from: realpathSync(mount.from), at }];
  });
}

export function kindOf(path: string): "directory" | "file" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    return undefined; // it is not there, or cannot be seen
  }
}

/** The end of the path may exist only inside. */
export function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(withoutLinks(parent), basename(path));
  }
}

/** Whether `path` is `directory` or lies below it. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
