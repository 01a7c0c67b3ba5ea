import { extname } from "node:path";
import picomatch from "picomatch";
import type { ProtectedChange, ProtectionPolicy, ProtectionReason } from "../../model/proof-record.ts";
import { isWorkAmongTests } from "./asked-files.ts";
import { type Checks, checksOf, isOfCheck, isSourced } from "./check-programs.ts";
import {
  isDependency,
  isInert,
  isInstalled,
  isManifest,
  isNamedIn,
  isTest,
  isWrittenByRuns,
  reasonFor,
  reasonForNew,
} from "./file-kinds.ts";
import { asksForPackages, isLock, leadsElsewhere, touchesChecks } from "./manifests.ts";
import { type NewFileBasis, reasonForAdded, takesOver } from "./new-files.ts";
import { isCode, isProgram, isSource, losesOwnTests } from "./own-tests.ts";
import { takesCheckOver } from "./shell-libraries.ts";
import { hijacksTests, replacesAssertions, silencesTools } from "./weakening.ts";

const POLICIES = new Set(["auto", "review", "fail", "restore", "off"]);

export interface Protection {
  policy: ProtectionPolicy;
  /** Patterns of further protected files. */
  files: readonly string[];
}

/** Reads `protect`. By default a reviewer decides where there is one. */
export function protectionOf(protect: readonly string[], hasReviewer: boolean): Protection {
  const word = protect.findLast((one) => POLICIES.has(one)) ?? "auto";
  const files = protect.filter((one) => !POLICIES.has(one));
  if (word === "off" || word === "fail" || word === "restore") return { policy: word, files };
  return { policy: hasReviewer ? "review" : "fail", files };
}

/** A file that differs from the start. */
export interface FileChange {
  path: string;
  status: "added" | "modified" | "deleted";
  /** Git does not track it and would not add it. */
  is_ignored: boolean;
}

/** What the changes are held against. */
export interface ProtectionBasis {
  changes: readonly FileChange[];
  /** The commands of the checks, and the texts of the scripts that they run: the scripts that these name are protected. */
  commands: readonly string[];
  /** The task in the user's words: a script that it names is part of the work. */
  task: string;
  files: readonly string[];
  /** Only `files` are protected: no check rests on tests. */
  named_only: boolean;
  may_change: readonly string[];
  /** Whether the project had tests at the start: otherwise their configuration is the worker's to make. */
  had_tests: boolean;
  /** All files of the start. */
  paths: ReadonlySet<string>;
  /** The directories with installed packages at the start. */
  installed: ReadonlySet<string>;
  /** Whether manifests of the start name a package, or a program of one. */
  names_package: (name: string) => boolean;
  /** The directories with a package.json. */
  packages: ReadonlySet<string>;
  /** Whether there was a module of Python's by this name at the start. */
  has_module: (name: string) => boolean;
  /** Whether anything at the start speaks of Python's doctests. */
  uses_doctests: boolean;
  /** The text of a changed file at the start and now, where it is needed. */
  text: (path: string, when: "start" | "now") => string | undefined;
}

/** The changed files that the checks rest on, also those that may change. */
export function protectedChanges(basis: ProtectionBasis): ProtectedChange[] {
  const { changes, files, may_change, named_only, text } = basis;
  const [isFree, isNamed] = [matcher(may_change), matcher(files)];
  const hasNewManifest = changes.some(
    ({ path, is_ignored }) =>
      !is_ignored &&
      !isInstalled(path) &&
      isManifest(path) &&
      asksForPackages(path, text(path, "start"), text(path, "now")),
  );
  const checked: Basis = {
    ...basis,
    hasNewManifest,
    checks: checksOf(basis.commands, basis.task),
    added: changes.filter(({ status, is_ignored }) => status === "added" && !is_ignored).map(({ path }) => path),
  };
  return changes.flatMap((change) => {
    const { path, status, is_ignored } = change;
    if (isWrittenByRuns(path) && (is_ignored || status === "added")) return [];
    const own = named_only ? undefined : reasonOf(change, checked);
    const why = isNamed(path) ? "named" : own;
    return why ? [{ path, status, why, ...(isFree(path) && { is_allowed: true }) }] : [];
  });
}

/** The same, with what all files have in common. */
interface Basis extends ProtectionBasis, NewFileBasis {
  checks: Checks;
  /** Whether a manifest asks for other packages than before. */
  hasNewManifest: boolean;
}

function reasonOf(change: FileChange, basis: Basis): ProtectionReason | undefined {
  const { path, status, is_ignored } = change;
  if (status !== "added" && isOfCheck(path, basis.checks, basis.text(path, "start"))) return "named";
  if (is_ignored ? isDependency(path) : isInstalled(path)) {
    const isAskedFor = basis.hasNewManifest || isFreshInstall(change, basis);
    const shadows = reasonForNew(path) === "loaded" && !OF_ENVIRONMENTS.test(path);
    return shadows || !isOfPackage(path, basis.packages) || !isAskedFor ? "dependency" : undefined;
  }
  if (isLock(path)) return reasonOfLock(path, basis);
  return status === "added" ? reasonOfAdded(change, basis) : reasonOfChanged(change, basis);
}

/** What tools write into every environment that they make. */
const OF_ENVIRONMENTS = /\/(distutils-precedence|_virtualenv|__editable__[^/]*)\.pth$/;

/** Whether it belongs to an installation of what the manifests of the start name, where nothing was installed then. */
function isFreshInstall({ path, status, is_ignored }: FileChange, basis: ProtectionBasis): boolean {
  const { installed, names_package } = basis;
  const [root, rest] = installationOf(path) ?? [];
  if (status !== "added" || !is_ignored || root === undefined || rest === undefined || installed.has(root))
    return false;
  const [, name = ""] = /^(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(rest) ?? [];
  const isOwnRecord = /^\.(?!bin\/)/.test(rest);
  return !root.endsWith("node_modules") || isOwnRecord || names_package(name);
}

/** `app/node_modules` and `zod/index.js`. */
export function installationOf(path: string): [root: string, rest: string] | undefined {
  const [, root, rest] = /^((?:.*?\/)?(?:node_modules|\.venv|venv|vendor|bower_components))\/(.+)$/.exec(path) ?? [];
  return root === undefined || rest === undefined ? undefined : [root, rest];
}

/** Package managers install beside a manifest. Elsewhere, a package only comes before the one that is meant. */
function isOfPackage(path: string, packages: ReadonlySet<string>): boolean {
  const [, directory] = /^(.*?)\/node_modules\//.exec(path) ?? [];
  return directory === undefined || packages.has(directory);
}

function reasonOfChanged(change: FileChange, basis: Basis): ProtectionReason | undefined {
  const { path, status } = change;
  const isWork = isInert(path, basis.commands) || isWorkAmongTests(path, basis.task, basis.commands);
  const why = (isWork ? undefined : reasonFor(path)) ?? reasonByText(change, basis);
  if (why !== "configuration" || status === "deleted") return why;
  return touchesChecks(path, basis.text(path, "start"), basis.text(path, "now")) ? why : undefined;
}

function reasonOfLock(path: string, { text }: ProtectionBasis): ProtectionReason | undefined {
  return leadsElsewhere(path, text(path, "start") ?? "", text(path, "now") ?? "") ? "configuration" : undefined;
}

/** Why a file is protected whose name does not say so. */
function reasonByText(change: FileChange, basis: Basis): ProtectionReason | undefined {
  const { path } = change;
  const { checks, commands, text, uses_doctests } = basis;
  const [before, now] = [text(path, "start"), textNow(change, basis)];
  if (before === undefined) return undefined;
  const runs = (words: RegExp) => commands.some((command) => words.test(command));
  const doctests = { python: uses_doctests || runs(/doctest/), rust: runs(/\bcargo\b.*\btest\b/) };
  if (losesOwnTests(before, now, path, doctests)) return "test";
  return isWeakening(path, before, now, checks) ? "weakening" : undefined;
}

/** Of a deleted file, the new ones of its kind: it may have been moved. */
function textNow({ path, status }: FileChange, { changes, text }: ProtectionBasis): string | undefined {
  if (status !== "deleted") return text(path, "now");
  const isLike = (other: FileChange) => other.status === "added" && extname(other.path) === extname(path);
  return changes
    .filter(isLike)
    .map((other) => text(other.path, "now") ?? "")
    .join("\n");
}

/** Whether a program gives assertions another meaning, silences a tool that a check runs, or decides about the script that loads it. */
function isWeakening(path: string, before: string, now: string | undefined, checks: Checks): boolean {
  if (now === undefined || !isSource(path)) return false;
  if (isProgram(path) && isSourced(path, checks) && takesCheckOver(before, now, checks.texts)) return true;
  return (isCode(path) && replacesAssertions(before, now)) || silencesTools(before, now, checks.texts);
}

function reasonOfAdded({ path, is_ignored }: FileChange, basis: Basis): ProtectionReason | undefined {
  const { had_tests, text, task, checks } = basis;
  const isWhole = path.includes("/") && task.includes(path);
  const isAskedFor = isWhole || (isNamedIn(task, path) && !meansOther(path, basis));
  if (is_ignored || isAskedFor) return ignoredReason(path, is_ignored, isAskedFor);
  if (!had_tests) return takesOver(path, basis) ? "loaded" : ignoredReason(path, false, false);
  const now = text(path, "now");
  const why = reasonForAdded(path, now, basis);
  if (why) return why;
  if (isTest(path)) return isHijacking(path, now, basis) ? "loaded" : undefined;
  return isWeakening(path, "", now, checks) ? "weakening" : undefined;
}

/** Whether a new test decides about others. One whose text cannot be had may. */
function isHijacking(path: string, now: string | undefined, basis: Basis): boolean {
  return now === undefined ? isProgram(path) : isCode(path) && hijacksTests(now, basis);
}

/** Whether the task's name for it is that of another file, which was there at the start. */
function meansOther(path: string, { paths }: Basis): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [...paths].some((one) => one === name || one.endsWith(`/${name}`));
}

/** Of new files that git ignores, only those that are loaded unasked: the others are not in the clean room. */
function ignoredReason(path: string, isIgnored: boolean, isAskedFor: boolean): ProtectionReason | undefined {
  const why = !isAskedFor && (isIgnored || isTest(path)) ? reasonForNew(path) : undefined;
  return why === "loaded" ? why : undefined;
}

/** A pattern without wildcards also stands for all that is in a directory of that name. */
export function matcher(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const all = patterns.flatMap((pattern) => {
    const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
    return [plain, `${plain}/**`];
  });
  return picomatch(all, { dot: true });
}
