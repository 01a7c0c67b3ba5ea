import { mkdir } from "node:fs/promises";
import { E8Error } from "../../../model/errors.ts";
import type { IssueDraft, PullRequest, TrackedItem } from "../../../model/issue.ts";
import { type Message, type MessageParams, message } from "../../../model/message.ts";
import type { IssueLink, IssueTracker, LabelChange, PullRequestDraft } from "../../ports/tracker.ts";
import { problemOf } from "../../stores/files/faults.ts";
import { withLink } from "../hidden-texts.ts";
import { changedLabels } from "../labels.ts";
import { requireKind, trackerFault } from "../tracker-fault.ts";
import { FolderBacklog } from "./backlog.ts";
import type { NewFile } from "./files.ts";
import { lockedIn, mendFolder } from "./folder-lock.ts";
import { IssueFileProblem, type StoredItem } from "./issue-file.ts";
import { addComment, addRelease, commentsIn, labelsIn, putLabel } from "./side-files.ts";

/** Issues as files, `<number>.md` in a folder: for work without a network, and for tests of flows. */
export function createFolderTracker(folder: string): IssueTracker {
  const backlog = new FolderBacklog(folder);
  const changing = <T>(act: Act, signal: AbortSignal, change: () => Promise<T>) =>
    attempt(act, signal, (what) => lockedIn(folder, { what, signal }, change));
  const adding = <T>(act: Act, signal: AbortSignal, add: () => Promise<T>) =>
    attempt(act, signal, async (what) => {
      await mkdir(folder, { recursive: true }); // there is no lock without it
      return lockedIn(folder, { what, signal }, add);
    });
  const change = (act: Act & { number: number }, signal: AbortSignal, edit: (stored: StoredItem) => void) =>
    changing(act, signal, () => backlog.change(act.number, edit));
  return {
    list: (filter, signal) =>
      attempt({ act: "list" }, signal, async () => {
        await mendFolder(folder); // it may be the last time that this process comes here
        return backlog.list(filter);
      }),
    get: (kind, number, signal) =>
      attempt({ act: "read", kind, number }, signal, async () => requireKind((await backlog.read(number)).item, kind)),
    create: (draft, signal) => adding({ act: "create" }, signal, () => backlog.add(issueFile(draft))),
    close: (kind, number, signal) => change({ act: "close", kind, number }, signal, (stored) => close(stored, kind)),
    label: (number, labels, signal) => change({ act: "label", number }, signal, (stored) => label(stored, labels)),
    comments: (number, signal) =>
      attempt({ act: "read_comments", number }, signal, async () => {
        await backlog.read(number);
        return commentsIn(folder, number);
      }),
    comment: (number, comment, signal) =>
      changing({ act: "comment", number }, signal, async () => {
        await backlog.read(number);
        await addComment(folder, number, comment);
      }),
    findPullRequest: (head, signal) =>
      attempt({ act: "find_pull_request", name: head }, signal, () => backlog.pullRequest(head)),
    openPullRequest: (draft, signal) =>
      adding({ act: "open_pull_request", name: draft.head }, signal, () => openPullRequest(backlog, draft)),
    link: (link, signal) =>
      changing({ act: "link", number: link.pull_request }, signal, () => linkItems(backlog, link)),
    labels: (signal) => attempt({ act: "read_labels" }, signal, () => labelsIn(folder)),
    saveLabel: (one, signal) => adding({ act: "save_label", name: one.name }, signal, () => putLabel(folder, one)),
    release: (draft, signal) => adding({ act: "release", name: draft.tag }, signal, () => addRelease(folder, draft)),
  };
}

type Act = MessageParams["tracker_act"];

function issueFile({ title, body, labels, priority, blocked_by, base }: IssueDraft): NewFile {
  return {
    frontmatter: {
      title,
      state: "OPEN",
      labels: labels.length > 0 ? labels : undefined,
      priority,
      blocked_by: blocked_by.length > 0 ? blocked_by : undefined,
      base,
      created_at: new Date().toISOString(),
    },
    body: `\n${body}`,
  };
}

async function openPullRequest(
  backlog: FolderBacklog,
  { title, body, head, base, draft }: PullRequestDraft,
): Promise<PullRequest> {
  const open = await backlog.pullRequest(head, "OPEN");
  if (open) return open;
  const created_at = new Date().toISOString();
  const frontmatter = { kind: "pr", title, state: "OPEN", head, base, draft: draft || undefined, created_at };
  return (await backlog.add({ frontmatter, body: `\n${body}` })) as PullRequest;
}

async function linkItems(backlog: FolderBacklog, { issue, pull_request, closes }: IssueLink): Promise<void> {
  await backlog.change(issue, ({ file: { frontmatter } }) => {
    const known = frontmatter.toJS()?.pull_requests ?? [];
    if (!known.includes(pull_request)) frontmatter.set("pull_requests", [...known, pull_request]);
  });
  await backlog.change(pull_request, ({ file }) => {
    file.body = withLink(file.body, { issue, closes });
  });
}

function close({ file, item }: StoredItem, kind: TrackedItem["kind"]): void {
  if (requireKind(item, kind).state === "OPEN") file.frontmatter.set("state", "CLOSED");
}

function label({ file, item }: StoredItem, change: LabelChange): void {
  const { added, removed } = changedLabels(item.labels, change);
  if (added.length + removed.length === 0) return;
  file.frontmatter.set(
    "labels",
    [...item.labels, ...added].filter((one) => !removed.includes(one)),
  );
}

/** The signal counts before the act only: an act that has begun ends at once. */
async function attempt<T>(act: Act, signal: AbortSignal, perform: (what: Message) => Promise<T>): Promise<T> {
  const what = message("tracker_act", act);
  if (signal.aborted) throw trackerFault(what, message("cancelled", {}));
  try {
    return await perform(what);
  } catch (error) {
    if (error instanceof E8Error && error.code === "tracker_failed") throw error;
    throw trackerFault(what, error instanceof IssueFileProblem ? error.problem : problemOf(error), error);
  }
}
