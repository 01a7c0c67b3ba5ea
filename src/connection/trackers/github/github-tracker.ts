import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../../model/environment.ts";
import { E8Error } from "../../../model/errors.ts";
import { type MessageParams, message, type Statement } from "../../../model/message.ts";
import type { IssueTracker } from "../../ports/tracker.ts";
import { trackerFault } from "../tracker-fault.ts";
import { GithubFailure } from "./github-api.ts";
import { addComment, closeItem, commentsOf, getItem, issueCreation, labelItem, listIssues } from "./issues.ts";
import { findPull, labelsOf, linkPull, openPull, publishRelease, saveLabel } from "./publishing.ts";
import { GithubRepository } from "./repository.ts";

interface Patience {
  attempts: number;
  /** Before the second attempt; doubled before each further one. */
  first_wait_seconds: number;
  /** GitHub may ask for a longer wait: then the act fails at once. */
  longest_wait_seconds: number;
}

export interface GithubTrackerOptions {
  /** Of the run: its proxies are used. */
  environment?: Environment;
  owner: string;
  repo: string;
  /** Asked for at every act, no sooner. */
  token(): Promise<string | undefined>;
  api_url?: string;
  timeout_seconds?: number;
  patience?: Patience;
}

export const GITHUB_API_URL = "https://api.github.com";
const TIMEOUT_SECONDS = 30;
const PATIENCE: Patience = { attempts: 4, first_wait_seconds: 0.5, longest_wait_seconds: 60 };

/** Issues and pull requests of a repository on GitHub, or on a GitHub Enterprise server. */
export function createGithubTracker(options: GithubTrackerOptions): IssueTracker {
  const attempt = <T>(what: Act, signal: AbortSignal, act: (github: GithubRepository) => Promise<T>): Promise<T> =>
    attempted(options, { what, signal }, act);
  return {
    list: (filter, signal) => attempt({ act: "list" }, signal, (github) => listIssues(github, filter)),
    get: (kind, number, signal) =>
      attempt({ act: "read", kind, number }, signal, (github) => getItem(github, kind, number)),
    create: (draft, signal) => attempt({ act: "create" }, signal, issueCreation(draft)),
    close: (kind, number, signal) =>
      attempt({ act: "close", kind, number }, signal, (github) => closeItem(github, kind, number)),
    label: (number, change, signal) =>
      attempt({ act: "label", number }, signal, (github) => labelItem(github, number, change)),
    comments: (number, signal) =>
      attempt({ act: "read_comments", number }, signal, (github) => commentsOf(github, number)),
    comment: (number, comment, signal) =>
      attempt({ act: "comment", number }, signal, (github) => addComment(github, number, comment)),
    findPullRequest: (head, signal) =>
      attempt({ act: "find_pull_request", name: head }, signal, (github) => findPull(github, head)),
    openPullRequest: (draft, signal) =>
      attempt({ act: "open_pull_request", name: draft.head }, signal, (github) => openPull(github, draft)),
    link: (link, signal) =>
      attempt({ act: "link", number: link.pull_request }, signal, (github) => linkPull(github, link)),
    labels: (signal) => attempt({ act: "read_labels" }, signal, labelsOf),
    saveLabel: (label, signal) =>
      attempt({ act: "save_label", name: label.name }, signal, (github) => saveLabel(github, label)),
    release: (draft, signal) =>
      attempt({ act: "release", name: draft.tag }, signal, (github) => publishRelease(github, draft)),
  };
}

type Act = Omit<MessageParams["tracker_act"], "repository">;

async function attempted<T>(
  options: GithubTrackerOptions,
  { what, signal }: { what: Act; signal: AbortSignal },
  act: (github: GithubRepository) => Promise<T>,
): Promise<T> {
  const { owner, repo, patience = PATIENCE } = options;
  const { api_url = GITHUB_API_URL, timeout_seconds = TIMEOUT_SECONDS, environment = {} } = options;
  const fault = (problem: Statement, cause?: unknown) =>
    trackerFault(message("tracker_act", { ...what, repository: `${owner}/${repo}` }), problem, cause);
  if (signal.aborted) throw fault(message("cancelled", {}));
  const token = await options.token();
  if (token === undefined) throw fault(message("tracker_token_missing", {}));
  const access = { api_url: api_url.replace(/\/+$/, ""), token, timeout_seconds, environment, signal };
  try {
    return await patiently(patience, () => act(new GithubRepository(options, access)), signal);
  } catch (error) {
    if (error instanceof E8Error) throw error;
    throw fault(problemOf(error, signal), error);
  }
}

function problemOf(error: unknown, { aborted }: AbortSignal): Statement {
  if (aborted) return message("cancelled", {});
  return error instanceof GithubFailure ? error.problem : String(error);
}

/** Repeats an act that is harmless when done twice, until it succeeds, fails for good, or the signal aborts. */
async function patiently<T>(patience: Patience, act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof GithubFailure) || !error.facts.is_passing) throw error;
      const wait = error.facts.wait_seconds ?? patience.first_wait_seconds * 2 ** (attempt - 1);
      if (attempt >= patience.attempts || wait > patience.longest_wait_seconds || signal.aborted) throw error;
      await sleep(wait * 1000, undefined, { signal });
    }
  }
}
