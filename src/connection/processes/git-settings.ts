import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Settings that change which files git sees and what it makes of them. Names, remotes, branches and hooks do not. */
const SECTIONS = /^\[\s*(core|filter|include|includeif|extensions|submodule)\b/i;
const FREE_KEYS = /^(editor|pager|hookspath|logallrefupdates|bare|repositoryformatversion|sshcommand|quotepath)\b/i;

/** The git directory of the repository that a directory is in, the one that worktrees share, and the top of the working tree. */
export function repositoryAbove(directory: string): { top: string; gitDirectory: string } | undefined {
  for (let top = resolve(directory); ; top = dirname(top)) {
    const gitDirectory = gitDirectoryIn(top);
    if (gitDirectory) return { top, gitDirectory };
    if (top === dirname(top)) return undefined;
  }
}

function gitDirectoryIn(top: string): string | undefined {
  const path = join(top, ".git");
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return existsSync(join(path, "HEAD")) ? path : undefined; // an empty one is none for git
  const own = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
  if (own === undefined) return undefined;
  const common = join(resolve(top, own), "commondir");
  return existsSync(common) ? resolve(dirname(common), readFileSync(common, "utf8").trim()) : resolve(top, own);
}

/** The lines of a git configuration that matter for what a check sees; undefined where there are none. */
export function relevantGitSettings(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const kept: string[] = [];
  let section = "";
  for (const line of readFileSync(path, "utf8")
    .split("\n")
    .map((one) => one.trim())) {
    if (line.startsWith("[")) section = line;
    else if (SECTIONS.test(section) && line !== "" && !FREE_KEYS.test(line)) kept.push(`${section} ${line}`);
  }
  return kept.length === 0 ? undefined : kept.sort().join("\n");
}
