import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Checkout } from "./checkout.ts";
import { gitAt } from "./checkout.ts";
import { exclude, isInside } from "./worktree.ts";

/**
 * Puts the files that earlier turns of an issue hand on into its worktree, where git ignores them: they are not part of the work. A
 * directory that leads out of the worktree gets none.
 */
export async function putHandedFiles(checkout: Checkout, from: string, worktree: string): Promise<void> {
  if (!existsSync(from)) return;
  const git = gitAt(worktree);
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const name = relative(from, source);
    const target = join(worktree, name);
    await mkdir(dirname(target), { recursive: true }).catch(() => {}); // a file of the work is in the way
    if (!(await leadsInto(worktree, target))) continue;
    await copyFile(source, target);
    const isIgnored = (await git(["check-ignore", "--quiet", "--", name])).exit_code === 0;
    if (!isIgnored) await exclude(checkout, `/${name.replaceAll(/[\\*?[\] ]/g, "\\$&")}`);
  }
}

async function leadsInto(worktree: string, target: string): Promise<boolean> {
  const folder = await realpath(dirname(target)).catch(() => "");
  const top = await realpath(worktree);
  const isFree = await lstat(target).then(
    (found) => found.isFile(),
    () => true,
  );
  return isFree && (folder === top || isInside(top, folder));
}
