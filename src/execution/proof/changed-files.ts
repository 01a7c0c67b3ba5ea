import type { IgnoredChange, Workspace } from "../../connection/ports/workspace.ts";
import { isManifest, isTest, reasonFor } from "../../judgment/proof/file-kinds.ts";
import { isCompared, isProgram } from "../../judgment/proof/own-tests.ts";
import { protectedChanges } from "../../judgment/proof/protection.ts";
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

interface Compared extends KeptWork {
  /** Patterns of further protected files. */
  files: readonly string[];
  ignored: readonly IgnoredChange[];
}

export async function changedFiles(
  { ports: { workspace }, configuration }: RunContext,
  { commands, rests_on_tests }: Claim,
  { start, commit, files, ignored }: Compared,
): Promise<FileFindings> {
  const nothing = { changes: [], protected_changes: [], is_start_lost: true, links_out: [] };
  if (start === null || commit === null)
    return { ...nothing, is_start_lost: start !== null && !(await workspace.changes(start, start)) };
  const found = await workspace.changes(start, commit);
  if (!found) return nothing;
  const changes = found.filter(hasStatus);
  const paths = startFirst(changes).filter(isCompared);
  const [before, now, all, links_out] = await Promise.all([
    workspace.textsAt(start, paths),
    workspace.textsAt(commit, paths),
    workspace.paths(start),
    workspace.linksOut(start, commit),
  ]);
  const behind = await commandsBehind(workspace, { commands, start, paths: all });
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
    had_tests: all.some(isTest),
    packages: packagesIn([...all, ...changes.map(({ path }) => path)]),
    ...(await namedAtStart(workspace, { start, changes, before, task: configuration.task })),
    text: (path, when) => (when === "start" ? before : now).get(path),
  });
  return { changes: found, protected_changes, is_start_lost: false, links_out };
}

/** Texts are read of so many files only: a worker could add many. */
function startFirst(changes: readonly ChangeWithStatus[]): string[] {
  const rank = ({ status }: ChangeWithStatus) => (status === "added" ? 1 : 0);
  return changes.toSorted((left, right) => rank(left) - rank(right)).map(({ path }) => path);
}

function packagesIn(paths: readonly string[]): Set<string> {
  return new Set(
    paths.filter((path) => path.endsWith("/package.json")).map((path) => path.slice(0, path.lastIndexOf("/"))),
  );
}

const DATA = /\.(json[5lc]?|ndjson|csv|tsv|txt|log|out|in|dat|xml|ya?ml|html?|sql|ini|diff|patch|bin|png|svg|pdf)$/i;
const DOCTEST = "doctest";
const MOST_DATA = 30;

/** What the files of the start say about changed ones: data that only tests name is theirs. */
async function namedAtStart(
  workspace: Pick<Workspace, "mentions">,
  {
    start,
    changes,
    before,
    task,
  }: { start: string; changes: readonly ChangeWithStatus[]; before: ReadonlyMap<string, string>; task: string },
): Promise<{ test_data: ReadonlySet<string>; uses_doctests: boolean }> {
  const isData = ({ path, status }: ChangeWithStatus) =>
    status !== "added" && DATA.test(path) && !reasonFor(path) && !isManifest(path) && !isSpokenOf(task, path);
  const data = changes
    .filter(isData)
    .slice(0, MOST_DATA)
    .map(({ path }) => path);
  const hasExamples = [...before.values()].some((text) => /^\s*>>> /m.test(text));
  const names = new Map(data.map((path) => [path, path.slice(path.lastIndexOf("/") + 1)]));
  const words = [...new Set(names.values()), ...(hasExamples ? [DOCTEST] : [])];
  const found = words.length > 0 ? await workspace.mentions(start, words) : new Map<string, readonly string[]>();
  const isOfTests = (path: string) => {
    const namers = found.get(names.get(path) ?? "")?.filter((one) => one !== path) ?? [];
    return namers.some(isTest) && namers.every((one) => isTest(one) || !(isProgram(one) || isManifest(one)));
  };
  return { test_data: new Set(data.filter(isOfTests)), uses_doctests: (found.get(DOCTEST)?.length ?? 0) > 0 };
}

/** Whether the task names a data file, or what is in it. */
function isSpokenOf(task: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/\..*$/, "");
  return task.includes(name) || (stem.length > 3 && new RegExp(`\\b${stem.replace(/\W/g, ".")}`, "i").test(task));
}

type ChangeWithStatus = ChangedFile & { status: NonNullable<ChangedFile["status"]> };

function hasStatus(file: ChangedFile): file is ChangeWithStatus {
  return file.status !== null;
}
