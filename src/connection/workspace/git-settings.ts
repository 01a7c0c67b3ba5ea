import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface GitSetting {
  /** `section.name` or `section.subsection.name`. */
  key: string;
  /** Absent for a key without `=`, which means true. */
  value?: string | undefined;
  scope?: string | undefined;
}

/** What `git config --list -z --show-scope` prints: the scope, then `key\nvalue` or `key`. */
export function settingsIn(output: string): GitSetting[] {
  const fields = output.split("\0");
  return fields.slice(0, -1).flatMap((scope, index) => {
    if (index % 2 === 1) return [];
    const [key = "", ...lines] = (fields[index + 1] ?? "").split("\n");
    return [{ key, scope, ...(lines.length > 0 && { value: lines.join("\n") }) }];
  });
}

/** Not these: where the files are is said on the command line, and nothing of the user's may run. */
const OTHERS_OF_CORE =
  /^core\.(bare|worktree|hookspath|fsmonitor|attributesfile|excludesfile|editor|pager|sshcommand|askpass|gitproxy|repositoryformatversion|untrackedcache|splitindex|logallrefupdates|alternaterefscommand)$/;

/** Line ends, filters, the kind of object ids: what matters for the files themselves. From a command line it counts anyway. */
export function isForFiles({ key, scope }: GitSetting): boolean {
  if (scope === "command" || OTHERS_OF_CORE.test(key)) return false;
  return /^(core|filter|index|lfs)\./.test(key) || key === "extensions.objectformat";
}

/** Git LFS looks for the contents beside the git directory that it is given: they are beside the user's. */
export function largeFiles(settings: readonly GitSetting[], common: string): GitSetting[] {
  const isUsed = settings.some(({ key }) => key.startsWith("filter.lfs."));
  return isUsed ? [{ key: "lfs.storage", value: resolve(common, filePath(settings, "lfs.storage") ?? "lfs") }] : [];
}

/** What git in a check may see: the repository's own settings without credentials. */
export function isShown({ key, value, scope }: GitSetting): boolean {
  if (scope !== "local" && scope !== "worktree") return false;
  if (/^(http|https|credential|url|include|includeif|extensions)\./.test(key)) return key === "extensions.objectformat";
  return !/^core\.(bare|worktree|hookspath|repositoryformatversion)$/.test(key) && !/:\/\/[^/]*@/.test(value ?? "");
}

/** The last one counts. */
export function filePath(settings: readonly GitSetting[], key: string): string | undefined {
  const value = settings.findLast((one) => one.key === key)?.value;
  return value?.startsWith("~/") ? join(process.env.HOME || homedir(), value.slice(2)) : value;
}

/** A configuration file. */
export function configText(settings: readonly GitSetting[]): string {
  const hasExtensions = settings.some(({ key }) => key.startsWith("extensions."));
  const head = `[core]\n\trepositoryformatversion = ${hasExtensions ? 1 : 0}\n\tbare = false\n`;
  return head + settings.map(lineOf).join("");
}

function lineOf({ key, value }: GitSetting): string {
  const [, section = "", subsection, name = ""] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(key) ?? [];
  const heading = subsection === undefined ? section : `${section} "${subsection.replace(/[\\"]/g, "\\$&")}"`;
  return `[${heading}]\n\t${name}${value === undefined ? "" : ` = "${quoted(value)}"`}\n`;
}

function quoted(value: string): string {
  return value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}
