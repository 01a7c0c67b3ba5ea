import type { IssueComment, IssueDraft, IssueLabel, PullRequest, Release, TrackedItem } from "../../model/issue.ts";

export interface LabelChange {
  add: readonly string[];
  remove: readonly string[];
}

export interface IssueFilter {
  state: "open" | "closed" | "all";
  /** An issue must have all of them. Case does not matter. */
  labels: readonly string[];
  limit: number;
}

/** A comment that is made at most once: a hidden line of its text says which one it is. */
export interface MarkedComment {
  body: string;
  /** The same in every run that means this comment: `task-12/closed`. */
  marker: string;
}

export interface PullRequestDraft extends Pick<PullRequest, "title" | "body" | "head" | "base" | "draft"> {}

/** `closes`: the issue is closed when the pull request is merged, where the tracker does that. */
export interface IssueLink {
  issue: number;
  pull_request: number;
  closes: boolean;
}

export interface ReleaseDraft extends Omit<Release, "url"> {
  /** The branch or commit that gets the tag, where the tag does not exist yet. */
  target?: string;
}

/**
 * Issues and pull requests. Throws E8Error `tracker_failed`. Every change but `create` is harmless when made twice; `create` makes
 * one issue a call, however often it has to ask.
 * When `signal` aborts, it throws at once. A change in progress may or may not have been made: reading tells.
 */
export interface IssueTracker {
  /** Issues only, by number. */
  list(filter: IssueFilter, signal: AbortSignal): Promise<TrackedItem[]>;
  get(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<TrackedItem>;
  create(draft: IssueDraft, signal: AbortSignal): Promise<TrackedItem>;
  close(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<void>;
  label(number: number, change: LabelChange, signal: AbortSignal): Promise<void>;
  /** Oldest first, without their markers. */
  comments(number: number, signal: AbortSignal): Promise<IssueComment[]>;
  /** At most once a marker, on an issue or a pull request. */
  comment(number: number, comment: MarkedComment, signal: AbortSignal): Promise<void>;
  /** The latest pull request from a branch, whatever its state. */
  findPullRequest(head: string, signal: AbortSignal): Promise<PullRequest | undefined>;
  /** The open pull request from the branch, where there is one: it stays as it is. */
  openPullRequest(draft: PullRequestDraft, signal: AbortSignal): Promise<PullRequest>;
  /** Names the issue in the pull request's body. */
  link(link: IssueLink, signal: AbortSignal): Promise<void>;
  /** The labels that can be chosen. */
  labels(signal: AbortSignal): Promise<IssueLabel[]>;
  /** Creates the label or changes its colour and description. Case does not matter in its name. */
  saveLabel(label: IssueLabel, signal: AbortSignal): Promise<void>;
  /** Publishes a release, at most once a tag. */
  release(draft: ReleaseDraft, signal: AbortSignal): Promise<Release>;
}
