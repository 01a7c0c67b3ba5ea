import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Sections that change neither which files git sees, nor what its commands say about them. All others may. */
const FREE_SECTIONS =
  /^\[\s*(user|author|committer|remote|branch|push|pull|fetch|clone|credential|color|column|gui|guitool|commit|tag|gpg|rebase|merge|mergetool|difftool|init|http|https|url|safe|advice|maintenance|gc|rerere|help|sendemail|format|log|pack|transfer|receive|protocol|pager|interactive|browser|web|instaweb)\b/i;
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

/** The lines of a git configuration that matter for what a check sees, with those that it includes; undefined where there are none. */
export function relevantGitSettings(path: string, depth = 0): string | undefined {
  if (!existsSync(path) || depth > DEEPEST_INCLUDE) return undefined;
  const kept: string[] = [];
  let section = "";
  for (const line of readFileSync(path, "utf8")
    .split("\n")
    .map((one) => one.trim())) {
    if (line.startsWith("[")) section = line;
    else if (section !== "" && !FREE_SECTIONS.test(section) && line !== "" && !FREE_KEYS.test(line))
      kept.push(`${section} ${line}`, ...includedBy(path, { section, line, depth }));
  }
  return kept.length === 0 ? undefined : kept.sort().join("\n");
}

const DEEPEST_INCLUDE = 5;

function includedBy(
  from: string,
  { section, line, depth }: { section: string; line: string; depth: number },
): string[] {
  const [, path] = (/^\[\s*include/i.test(section) && /^path\s*=\s*"?([^"]+)"?$/i.exec(line)) || [];
  if (path === undefined) return [];
  const included = path.startsWith("~/")
    ? join(process.env.HOME || homedir(), path.slice(2))
    : resolve(dirname(from), path);
  return [relevantGitSettings(included, depth + 1) ?? ""];
}
