import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Document, parseDocument } from "yaml";
import { z } from "zod";
import { E8Error } from "../../model/errors.ts";
import { issueWording } from "../../model/issue-wording.ts";
import { type Message, message } from "../../model/message.ts";
import type { IssueTracker, TrackedItem } from "../ports/tracker.ts";
import { replaceFile } from "../stores/files/durable.ts";
import { errorCode, problemOf } from "../stores/files/faults.ts";
import { requireKind, trackerFault } from "./tracker-fault.ts";

/** Issues as files, `<number>.md` in a folder: for work without a network, and for tests of flows. */
export function createFolderTracker(folder: string): IssueTracker {
  // One change after the other: each reads a file, and writes all of it.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act, act);
    last = mine;
    return mine;
  };
  const file = (number: number) => join(folder, `${number}.md`);
  return {
    get: (kind, number, signal) => {
      const what = message("tracker_act", { act: "read", kind, number });
      return attempt(what, signal, async () => requireKind((await readIssue(file(number), number, what)).item, kind));
    },
    close: (kind, number, signal) => {
      const what = message("tracker_act", { act: "close", kind, number });
      return inTurn(() => rewrite({ path: file(number), number, what, signal }, (issue) => close(issue, kind)));
    },
    label: (number, change, signal) => {
      const what = message("tracker_act", { act: "label", number });
      return inTurn(() => rewrite({ path: file(number), number, what, signal }, (issue) => label(issue, change)));
    },
  };
}

interface Issue {
  file: IssueFile;
  item: TrackedItem;
}

function close({ file, item }: Issue, kind: TrackedItem["kind"]): void {
  if (requireKind(item, kind).state === "OPEN") file.frontmatter.set("state", "CLOSED");
}

function label({ file, item }: Issue, { add, remove }: Parameters<IssueTracker["label"]>[1]): void {
  const kept = [...new Set([...item.labels, ...add])].filter((one) => !remove.includes(one));
  if (kept.join("\n") !== item.labels.join("\n")) file.frontmatter.set("labels", kept);
}

interface Rewriting {
  path: string;
  number: number;
  what: Message;
  signal: AbortSignal;
}

function rewrite({ path, number, what, signal }: Rewriting, change: (issue: Issue) => void): Promise<void> {
  return attempt(what, signal, async () => {
    const issue = await readIssue(path, number, what);
    const unchanged = formatIssueFile(issue.file);
    change(issue);
    const changed = formatIssueFile(issue.file);
    if (changed !== unchanged) await replaceFile(path, changed);
  });
}

async function readIssue(path: string, number: number, what: Message): Promise<Issue> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw errorCode(error) === "ENOENT" ? trackerFault(what, message("file_missing", { path }), error) : error;
  });
  const file = parseIssueFile(text, what);
  return { file, item: trackedItem(file, number, what) };
}

/** The signal counts before the act only: an act that has begun ends at once. */
async function attempt<T>(what: Message, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw trackerFault(what, message("cancelled", {}));
  try {
    return await act();
  } catch (error) {
    if (error instanceof E8Error && error.code === "tracker_failed") throw error;
    throw trackerFault(what, problemOf(error), error);
  }
}

/** An issue as a file: YAML frontmatter and the body. */
interface IssueFile {
  /** Keeps what others wrote there: order, comments, keys that we do not know. */
  frontmatter: Document;
  body: string;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>(?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;

function parseIssueFile(text: string, what: Message): IssueFile {
  const match = FRONTMATTER.exec(text);
  const frontmatter: Document = match ? parseDocument(match.groups?.yaml ?? "") : new Document({});
  const [error] = frontmatter.errors;
  if (error)
    throw trackerFault(what, message("frontmatter_not_yaml", { problem: error.message.split("\n", 1)[0] ?? "" }));
  return { frontmatter, body: match ? text.slice(match[0].length) : text };
}

function formatIssueFile({ frontmatter, body }: IssueFile): string {
  return `---\n${frontmatter.toString()}---\n${body}`;
}

const Properties = z.object({
  state: z
    .string()
    .default("OPEN")
    .transform((state) => state.toUpperCase())
    .pipe(z.enum(["OPEN", "CLOSED", "MERGED"])),
  kind: z.enum(["issue", "pr"]).default("issue"),
  labels: z
    .array(z.coerce.string())
    .nullish()
    .transform((labels) => labels ?? []),
});

/** The item that the frontmatter describes. */
function trackedItem(file: IssueFile, number: number, what: Message): TrackedItem {
  const parsed = Properties.safeParse(file.frontmatter.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return { ...parsed.data, number };
  const [issue] = parsed.error.issues;
  const problem = issue ? issueWording(issue) : "";
  throw trackerFault(what, message("frontmatter_invalid", { path: issue?.path.join(".") ?? "", problem }));
}
