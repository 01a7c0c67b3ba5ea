import picomatch from "picomatch";
import type { ProtectedChange, ProtectionPolicy, ProtectionReason } from "../../model/proof-record.ts";
import {
  isDependency,
  isInstalled,
  isManifest,
  isTest,
  isWrittenByRuns,
  reasonFor,
  reasonForNew,
} from "./file-kinds.ts";
import { asksForPackages, touchesChecks } from "./manifests.ts";
import { hijacksTests, losesOwnTests } from "./own-tests.ts";

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
  /** The text of a changed file at the start and now, where it is needed. */
  text: (path: string, when: "start" | "now") => string | undefined;
}

/** The changed files that the checks rest on, also those that may change. */
export function protectedChanges(basis: ProtectionBasis): ProtectedChange[] {
  const { changes, files, may_change, named_only, text } = basis;
  const [isFree, isNamed] = [matcher(may_change), matcher(files)];
  const hasNewManifest = changes.some(
    ({ path }) => isManifest(path) && asksForPackages(path, text(path, "start"), text(path, "now")),
  );
  return changes.flatMap((change) => {
    const { path, status } = change;
    if (isWrittenByRuns(path)) return [];
    const own = named_only ? undefined : reasonOf(change, basis, hasNewManifest);
    const why = isNamed(path) ? "named" : own;
    return why ? [{ path, status, why, ...(isFree(path) && { is_allowed: true }) }] : [];
  });
}

function reasonOf(change: FileChange, basis: ProtectionBasis, hasNewManifest: boolean): ProtectionReason | undefined {
  const { path, status, is_ignored } = change;
  const { commands, task, text } = basis;
  const isThereBefore = status !== "added";
  if (isThereBefore && isCheckScript(path, commands, task)) return "named";
  if (is_ignored ? isDependency(path) : isInstalled(path)) {
    const shadows = reasonForNew(path) === "loaded";
    return shadows || !hasNewManifest ? "dependency" : undefined;
  }
  if (!isThereBefore) return reasonOfAdded(change, basis);
  const why = reasonFor(path) ?? (hasOwnTests(path, basis) ? "test" : undefined);
  if (why !== "configuration" || status === "deleted") return why;
  return touchesChecks(path, text(path, "start"), text(path, "now")) ? why : undefined;
}

function hasOwnTests(path: string, { commands, text }: ProtectionBasis): boolean {
  const usesDoctests = commands.some((command) => command.includes("doctest"));
  return losesOwnTests(text(path, "start"), text(path, "now"), usesDoctests);
}

function reasonOfAdded({ path, is_ignored }: FileChange, { had_tests, text }: ProtectionBasis) {
  if (!had_tests || is_ignored) return ignoredReason(path, is_ignored);
  return reasonForNew(path) ?? (isTest(path) && hijacksTests(text(path, "now")) ? "loaded" : undefined);
}

/** Of new files that git ignores, only those that are loaded unasked: the others are not in the clean room. */
function ignoredReason(path: string, isIgnored: boolean): ProtectionReason | undefined {
  const why = isIgnored || isTest(path) ? reasonForNew(path) : undefined;
  return why === "loaded" ? why : undefined;
}

/** A shell script that a check runs, or a file that it names and that is called or kept after checking. Other named files may be the work itself. */
function isCheckScript(path: string, commands: readonly string[], task: string): boolean {
  const name = path.split("/").at(-1) ?? path;
  const isScript = SHELL_SCRIPT.test(name) || CHECKING.test(name) || KEPT_APART.test(path) || !name.includes(".");
  return isScript && !task.includes(name) && commands.some((command) => namesFile(command, path));
}

const KEPT_APART = /(^|\/)(scripts?|ci|\.ci|tools?|hack|checks?)\//;
const SHELL_SCRIPT = /\.(ba|z|da|k)?sh$/;
const CHECKING = /(check|test|verif|valid|spec|assert|lint|smoke|e2e|accept|eval|grade|score|expect)/i;

/** Whether a word of the command is the file's path, or its end after a directory change. */
function namesFile(command: string, path: string): boolean {
  const words = command.split(/[\s;&|<>()'"`=]+/).map((word) => word.replace(/^\.\//, ""));
  return words.some((word) => word.length > 2 && (word === path || path.endsWith(`/${word}`)));
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
