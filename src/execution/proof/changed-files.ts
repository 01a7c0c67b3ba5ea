import type { IgnoredChange, Workspace } from "../../connection/ports/workspace.ts";
import { isManifest, isTest } from "../../judgment/proof/file-kinds.ts";
import { isLock } from "../../judgment/proof/manifests.ts";
import { isCompared } from "../../judgment/proof/own-tests.ts";
import { installationOf, protectedChanges } from "../../judgment/proof/protection.ts";
import type { ChangedFile } from "../../model/changes.ts";
import type { ProtectedChange } from "../../model/proof-record.ts";
import type { RunContext } from "../run-context.ts";
import type { KeptWork } from "./check-again.ts";
import { commandsBehind } from "./check-scripts.ts";
import type { Claim } from "./claim.ts";

/** What differs from the start. */
interface FileFindings {
  changes: ChangedFile[];
  protected_changes: ProtectedChange[];
  /** The snapshot of the start is gone, so that nothing can be compared with it. */
  is_start_lost: boolean;
  /** Links to what was written outside the project: the work is not in it. */
  links_out: readonly string[];
}

interface Found {
  /** Patterns of further protected files. */
  files: readonly string[];
  ignored: readonly IgnoredChange[];
}

/** Two snapshots, compared. */
interface Comparison {
  start: string;
  found: ChangedFile[];
  changes: ChangeWithStatus[];
  /** The texts of what has changed, at the start and now. */
  before: ReadonlyMap<string, string>;
  now: ReadonlyMap<string, string>;
  /** All files of the start. */
  paths: string[];
  links_out: readonly string[];
}

/** Needs nothing but the snapshots: it can be done while the clean checkout is made. Where one of them is missing, says whether that of the start is gone. */
export async function compared(
  { ports: { workspace } }: RunContext,
  { start, commit }: KeptWork,
): Promise<Comparison | { is_start_lost: boolean }> {
  if (start === null || commit === null)
    return { is_start_lost: start !== null && !(await workspace.changes(start, start)) };
  const found = await workspace.changes(start, commit);
  if (!found) return { is_start_lost: true };
  const changes = found.filter(hasStatus);
  const read = startFirst(changes).filter(({ path }) => isCompared(path));
  const where = (gone: ChangeWithStatus["status"]) =>
    read.filter(({ status }) => status !== gone).map(({ path }) => path);
  const [before, now, paths, links_out] = await Promise.all([
    workspace.textsAt(start, where("added")),
    workspace.textsAt(commit, where("deleted")),
    workspace.paths(start),
    workspace.linksOut(start, commit),
  ]);
  return { start, found, changes, before, now, paths, links_out };
}

export async function changedFiles(
  { ports: { workspace, store }, configuration }: RunContext,
  { commands, rests_on_tests }: Pick<Claim, "commands" | "rests_on_tests">,
  { comparison, files, ignored }: Found & { comparison: Awaited<ReturnType<typeof compared>> },
): Promise<FileFindings> {
  if ("is_start_lost" in comparison) return { changes: [], protected_changes: [], links_out: [], ...comparison };
  const { start, found, changes, before, now, paths, links_out } = comparison;
  const behind = await commandsBehind(workspace, { commands, start, paths, judges_only: true });
  const protected_changes = protectedChanges({
    changes: [
      ...changes.map(({ path, status }) => ({ path, status, is_ignored: false })),
      ...ignored.map(({ path, status }) => ({ path, status, is_ignored: true })),
    ],
    commands: behind,
    task: configuration.task,
    files,
    named_only: !rests_on_tests,
    may_change: configuration.may_change,
    had_tests: paths.some(isTest),
    paths: new Set(paths),
    ...(await installedAtStart(workspace, { start, ignored, paths })),
    packages: packagesIn([...paths, ...changes.map(({ path }) => path)]),
    has_module: (name) => isModuleIn(paths, name),
    uses_doctests: await usesDoctests(workspace, start, before),
    text: (path, when) => (when === "start" ? before : now).get(path),
  });
  const since = new Set(ignored.map(({ path }) => path));
  const suspects = (store.task.suspect_ignored ?? []).filter(({ path }) => !since.has(path));
  return { changes: found, protected_changes: [...protected_changes, ...suspects], is_start_lost: false, links_out };
}

/** Texts are read of so many files only: a worker could add many. */
function startFirst(changes: readonly ChangeWithStatus[]): ChangeWithStatus[] {
  const rank = ({ status }: ChangeWithStatus) => (status === "added" ? 1 : 0);
  return changes.toSorted((left, right) => rank(left) - rank(right));
}

/** What was installed at the start, and what its manifests name: asked for only where something was installed since. */
async function installedAtStart(
  workspace: Pick<Workspace, "ignoredAtStart" | "textsAt">,
  { start, ignored, paths }: { start: string; ignored: readonly IgnoredChange[]; paths: readonly string[] },
): Promise<{ installed: ReadonlySet<string>; names_package: (name: string) => boolean }> {
  const isAdded = ({ path, status }: IgnoredChange) => status === "added" && installationOf(path) !== undefined;
  if (!ignored.some(isAdded)) return { installed: new Set(), names_package: () => false };
  const manifests = paths.filter((path) => isManifest(path) || isLock(path));
  const [before, texts] = await Promise.all([workspace.ignoredAtStart(), workspace.textsAt(start, manifests)]);
  const words = new Set(
    [...texts.values()].flatMap((text) => [...text.matchAll(PACKAGE_NAMES)].map(([, name]) => name)),
  );
  const isUnread = manifests.some((path) => isLock(path) && !texts.has(path)); // too long
  return {
    installed: new Set(before.flatMap((path) => installationOf(path)?.slice(0, 1) ?? [])),
    names_package: (name) => isUnread || words.has(name),
  };
}

const PACKAGE_NAMES = /(?:^|["'\s/])((?:@[\w.-]+\/)?[\w.-]+)(?=["'@:])/gm;

function packagesIn(paths: readonly string[]): Set<string> {
  return new Set(
    paths.filter((path) => path.endsWith("/package.json")).map((path) => path.slice(0, path.lastIndexOf("/"))),
  );
}

function isModuleIn(paths: readonly string[], name: string): boolean {
  const file = name.replaceAll(".", "/");
  return paths.some((path) =>
    [`${file}.py`, `${file}/__init__.py`].some((one) => path === one || path.endsWith(`/${one}`)),
  );
}

const DOCTEST = "doctest";

/** Whether the start speaks of doctests. It is asked only where a changed file has examples. */
async function usesDoctests(
  workspace: Pick<Workspace, "mentions">,
  start: string,
  before: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (![...before.values()].some((text) => /^\s*>>> /m.test(text))) return false;
  return ((await workspace.mentions(start, [DOCTEST])).get(DOCTEST)?.length ?? 0) > 0;
}

type ChangeWithStatus = ChangedFile & { status: NonNullable<ChangedFile["status"]> };

function hasStatus(file: ChangedFile): file is ChangeWithStatus {
  return file.status !== null;
}
