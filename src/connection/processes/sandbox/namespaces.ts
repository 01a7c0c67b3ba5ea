import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { shellQuoted } from "../../../model/shell-quotes.ts";
import type { Mount, Sandbox } from "../../ports/sandbox.ts";
import { lockedFlags, type MountPoint, mountTable } from "./mount-table.ts";
import { isWithin, kindOf, resolved } from "./paths.ts";

/** The programs of util-linux and a shell, by their paths: the program inside may have another PATH. */
export interface Tools {
  unshare: string;
  setpriv: string;
  mount: string;
  umount: string;
  mkdir: string;
  ln: string;
  sh: string;
}

export interface NamespacesOptions {
  tools: Tools;
  /** Options that this machine needs besides: an ordinary user needs a user namespace. */
  extra: readonly string[];
  /** A directory of ours for lists of mounts: `mount` takes many from a file, and each start of it costs milliseconds. */
  folder: string;
}

/** All capabilities that let root undo the mounts; an ordinary user has none left. */
const DROPPING = ["--bounding-set", "-sys_admin", "--inh-caps", "-all", "--ambient-caps", "-all"];

export function namespaces({ tools, extra, folder }: NamespacesOptions): Sandbox {
  return {
    adapter: "namespaces",
    enclose: ({ command, args, cwd }, { mounts }) => [
      ...[tools.setpriv, "--pdeathsig", "KILL"],
      ...[tools.unshare, ...extra, "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--"],
      ...[tools.sh, "-c", scriptFor(resolved(mounts), tools, folder), "e8", cwd, command, ...args],
    ],
  };
}

/**
 * The script of the first process inside. It runs the program as its child, not in its own place: the kernel keeps signals from a first
 * process that has no handler for them.
 */
function scriptFor(mounts: readonly Mount[], tools: Tools, folder: string): string {
  const quoted = (words: readonly string[]) => words.map(shellQuoted).join(" ");
  // The list of a later section may itself be hidden by then.
  const list = (mounted: readonly Mount[], index: number) => join(index === 0 ? "/" : OUTSIDE, listOf(mounted, folder));
  const lines = sectionsOf(mounts).flatMap(({ made, mounted }, index) => [
    ...madeBefore(made, tools, quoted),
    ...(mounted.length > 0 ? [quoted([tools.mount, "--all", "--fstab", list(mounted, index)])] : []),
  ]);
  const hides = mounts.length > 0;
  return [
    "set -e",
    ...(hides ? [...lines, quoted([tools.umount, "--lazy", OUTSIDE])] : []),
    'cd -- "$1"',
    "shift",
    "set +e",
    `${quoted([tools.setpriv, ...DROPPING, "--"])} "$@"`,
    "exit $?",
  ].join("\n");
}

/** Where the file system as it is outside can be reached while the mounts are made. No mount of ours is below it. */
const OUTSIDE = "/sys";

interface Section {
  /** Files and links that must be made in empty directories first. */
  made: Mount[];
  mounted: Mount[];
}

/** `mount` makes directories to mount on, but no files: those are made between two of its runs. */
function sectionsOf(mounts: readonly Mount[]): Section[] {
  const sections: Section[] = [{ made: [], mounted: [{ is: "bind", from: "/", at: OUTSIDE, writable: true }] }];
  const made = new Set<Mount>();
  for (const [index, mount] of mounts.entries()) {
    const before = mounts.slice(0, index);
    if (isMade(mount, before) && !made.has(mount)) {
      const together = mounts.slice(index).filter((one) => isMade(one, before));
      for (const one of together) made.add(one);
      sections.push({ made: together, mounted: [] });
    }
    if (mount.is !== "link") sections.at(-1)?.mounted.push(mount);
  }
  return sections;
}

function isMade(mount: Mount, before: readonly Mount[]): boolean {
  if (mount.is === "empty" || (mount.is === "bind" && kindOf(mount.from) === "directory")) return false;
  const below = before.filter((one) => one.is !== "link" && isWithin(one.at, mount.at));
  return below.at(-1)?.is === "empty";
}

function madeBefore(made: readonly Mount[], tools: Tools, quoted: (words: readonly string[]) => string): string[] {
  if (made.length === 0) return [];
  const parents = [...new Set(made.map(({ at }) => dirname(at)))];
  return [
    quoted([tools.mkdir, "-p", "--", ...parents]),
    ...made.map((one) =>
      one.is === "link" ? quoted([tools.ln, "-s", "--", one.to, one.at]) : `: > ${shellQuoted(one.at)}`,
    ),
  ];
}

/** The path of a file that lists mounts as fstab(5) does. The same mounts have the same file. */
function listOf(mounts: readonly Mount[], folder: string): string {
  const table = mountTable();
  const text = mounts.flatMap((mount) => linesFor(mount, table).map((line) => `${line}\n`)).join("");
  const file = join(folder, `mounts-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file); // a file that was cut off would hide less
  return file;
}

/** A mount that is read-only must be told so for each file system below it. */
function linesFor(mount: Mount, table: readonly MountPoint[]): string[] {
  if (mount.is !== "bind") return [`tmpfs ${escaped(mount.at)} tmpfs mode=0755 0 0`];
  const { from, at, writable } = mount;
  if (writable) return [bindLine(from, at, [])];
  const below = table.filter(({ path }) => path !== from && isWithin(from, path));
  const parts = [from, ...below.map(({ path }) => path)];
  return parts.map((path) => bindLine(path, join(at, relative(from, path)), ["ro", ...lockedFlags(path, table)]));
}

function bindLine(from: string, at: string, options: readonly string[]): string {
  const source = at === OUTSIDE ? from : join(OUTSIDE, from);
  return `${escaped(source)} ${escaped(at)} none ${["rbind", ...options, "X-mount.mkdir"].join(",")} 0 0`;
}

function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
