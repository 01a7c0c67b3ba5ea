import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { WordedError, type Words, wordingOf } from "../../model/statement.ts";
import type { IssueTracker, TrackedItem } from "../ports/tracker.ts";
import { replaceFile } from "../stores/files/durable.ts";
import { errorCode } from "../stores/files/faults.ts";
import { acts, CANCELLED, refuseOtherKind, trackerFault } from "./faults.ts";
import { formatIssueFile, type IssueFile, parseIssueFile, trackedItem } from "./issue-file.ts";

/** Issues as files, `<number>.md` in a folder: for work without a network, and for tests of agents. */
export function createFolderTracker(folder: string): IssueTracker {
  // One change after the other: each reads a file, and writes all of it.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act, act);
    last = mine;
    return mine;
  };
  type Alter = (file: IssueFile, item: TrackedItem) => IssueFile;
  // Only the signal's state before it matters: a change that has begun is over at once.
  const change = (what: Words, number: number, signal: AbortSignal, alter: Alter) =>
    inTurn(() => attempt(what, signal, () => rewrite(folder, number, alter)));
  return {
    get: (kind, number, signal) =>
      attempt(acts.read(kind, number), signal, async () =>
        refuseOtherKind(trackedItem(parseIssueFile(await readIssue(folder, number)), number), kind),
      ),
    close: (kind, number, signal) =>
      change(acts.close(kind, number), number, signal, (file, item) => closed(file, refuseOtherKind(item, kind))),
    label: (number, { add, remove }, signal) =>
      change(acts.label(number), number, signal, (file, { labels }) => {
        const kept = [...new Set([...labels, ...add])].filter((label) => !remove.includes(label));
        if (kept.join("\n") !== labels.join("\n")) file.frontmatter.set("labels", kept);
        return file;
      }),
  };
}

function closed(file: IssueFile, { state }: TrackedItem): IssueFile {
  if (state === "OPEN") file.frontmatter.set("state", "CLOSED");
  return file;
}

async function rewrite(
  folder: string,
  number: number,
  alter: (file: IssueFile, item: TrackedItem) => IssueFile,
): Promise<void> {
  const text = await readIssue(folder, number);
  const file = parseIssueFile(text);
  const unchanged = formatIssueFile(file);
  const altered = formatIssueFile(alter(file, trackedItem(file, number)));
  if (altered !== unchanged) await replaceFile(fileOf(folder, number), altered);
}

async function readIssue(folder: string, number: number): Promise<string> {
  const path = fileOf(folder, number);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? missing(path) : error;
  }
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${number}.md`);
}

function missing(path: string): WordedError {
  return new WordedError({ en: `${path} does not exist`, ja: `${path} がありません` });
}

async function attempt<T>(what: Words, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    if (signal.aborted) throw new WordedError(CANCELLED);
    return await act();
  } catch (error) {
    if (error instanceof E8Error && error.code === "tracker_failed") throw error;
    throw trackerFault(what, wordingOf(error), error);
  }
}
