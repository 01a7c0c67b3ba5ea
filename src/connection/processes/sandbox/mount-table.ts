import { readFileSync } from "node:fs";
import { isWithin } from "./paths.ts";

export interface MountPoint {
  path: string;
  options: readonly string[];
}

/** What is mounted where, in the order in which it was mounted. */
export function mountTable(text = readFileSync("/proc/self/mountinfo", "utf8")): MountPoint[] {
  return text.split("\n").flatMap((line) => {
    const [, , , , path, options] = line.split(" ");
    return path === undefined || options === undefined ? [] : [{ path: unescaped(path), options: options.split(",") }];
  });
}

/** The options of the file system at a path that an ordinary user must repeat to make it read-only. */
export function lockedFlags(path: string, table: readonly MountPoint[]): string[] {
  const covering = table.filter((mount) => isWithin(mount.path, path));
  const longest = Math.max(...covering.map((mount) => mount.path.length));
  const { options = [] } = covering.findLast((mount) => mount.path.length === longest) ?? {};
  return options.filter((option) => LOCKED.has(option));
}

const LOCKED = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime"]);

function unescaped(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
