import type { IssueFilter, IssueTracker } from "../connection/ports/tracker.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import { E8Error, type ErrorParams } from "../model/errors.ts";
import type { IssueComment, IssueFields, TrackedItem } from "../model/issue.ts";
import { type IssueTask, issueBody, issueTask } from "../orchestrator/issue-task.ts";
import { type LabelSync, labelChanges } from "../orchestrator/labels.ts";
import { loadWorkflow } from "./workflow.ts";

/** The issues of a project's tracker, for a command. `command`: what the user types again after a failure. */
interface Backlog {
  project: string;
  command: string;
}

export interface NewIssue extends IssueFields {
  title: string;
  body: string;
  criteria: readonly string[];
  checks: readonly string[];
  labels: readonly string[];
}

export function listIssues(backlog: Backlog, filter: IssueFilter): Promise<TrackedItem[]> {
  return withTracker(backlog, (tracker, signal) => tracker.list(filter, signal));
}

export interface ShownIssue {
  issue: TrackedItem;
  /** What a run would be told. */
  work: IssueTask;
  comments: IssueComment[];
}

export function showIssue(backlog: Backlog, number: number): Promise<ShownIssue> {
  return withTracker(backlog, async (tracker, signal) => {
    const issue = await tracker.get("issue", number, signal);
    return { issue, work: issueTask(issue), comments: await tracker.comments(number, signal) };
  });
}

export function addIssue(backlog: Backlog, { criteria, checks, body, ...draft }: NewIssue): Promise<TrackedItem> {
  const text = issueBody(body, { criteria, checks });
  return withTracker(backlog, (tracker, signal) => tracker.create({ ...draft, body: text }, signal));
}

export function closeIssue(backlog: Backlog, number: number): Promise<void> {
  return withTracker(backlog, (tracker, signal) => tracker.close("issue", number, signal));
}

/** Gives the tracker the labels of the project's workflow.json. Other labels stay. With `dry_run` nothing is changed. */
export function syncLabels(backlog: Backlog, { dry_run }: { dry_run: boolean }): Promise<LabelSync[]> {
  return withTracker(backlog, async (tracker, signal) => {
    const { labels } = await loadWorkflow(backlog.project);
    const changes = labelChanges(labels, await tracker.labels(signal));
    for (const { label, change } of changes)
      if (change !== "unchanged" && !dry_run) await tracker.saveLabel(label, signal);
    return changes;
  });
}

async function withTracker<T>(
  { project, command }: Backlog,
  act: (tracker: IssueTracker, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tracker = await createTracker({ project, environment: process.env });
  try {
    return await act(tracker, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof E8Error) || error.code !== "tracker_failed") throw error;
    const details = error.details as ErrorParams["tracker_failed"];
    throw new E8Error("tracker_failed", { ...details, again: command }, { cause: error });
  }
}
