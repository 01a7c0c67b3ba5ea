import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type MessageParams, message, type Statement } from "../../model/message.ts";
import type { IssueTracker, LabelChange, TrackedItem } from "../ports/tracker.ts";
import { callGithub, type GithubAccess, GithubFailure, type GithubRequest, unusableAnswer } from "./github-api.ts";
import { requireKind, trackerFault } from "./tracker-fault.ts";

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
  token: string;
  api_url?: string;
  timeout_seconds?: number;
  patience?: Patience;
}

export const GITHUB_API_URL = "https://api.github.com";
const TIMEOUT_SECONDS = 30;
const PATIENCE: Patience = { attempts: 4, first_wait_seconds: 0.5, longest_wait_seconds: 60 };

/** Issues and pull requests of a repository on GitHub, or on a GitHub Enterprise server. */
export function createGithubTracker(options: GithubTrackerOptions): IssueTracker {
  const repository = `${options.owner}/${options.repo}`;
  const { patience = PATIENCE } = options;
  const attempt = async <T>(what: Act, signal: AbortSignal, act: (github: Repository) => Promise<T>): Promise<T> => {
    try {
      return await patiently(patience, () => act(new Repository(options, signal)), signal);
    } catch (error) {
      if (error instanceof E8Error) throw error;
      throw trackerFault(message("tracker_act", { ...what, repository }), problemOf(error, signal), error);
    }
  };
  return {
    get: (kind, number, signal) => attempt({ act: "read", kind, number }, signal, (github) => github.get(kind, number)),
    close: (kind, number, signal) =>
      attempt({ act: "close", kind, number }, signal, (github) => github.close(kind, number)),
    label: (number, change, signal) =>
      attempt({ act: "label", number }, signal, (github) => github.label(number, change)),
  };
}

type Act = Omit<MessageParams["tracker_act"], "repository">;

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

/** One attempt at each of the port's acts. Each looks before it changes something, so that it can be repeated. */
class Repository {
  readonly #path: string;
  readonly #access: GithubAccess;

  constructor(options: GithubTrackerOptions, signal: AbortSignal) {
    const { owner, repo, token, api_url = GITHUB_API_URL, timeout_seconds = TIMEOUT_SECONDS } = options;
    const { environment = {} } = options;
    this.#path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
    this.#access = { api_url: api_url.replace(/\/+$/, ""), token, timeout_seconds, environment, signal };
  }

  async get(kind: TrackedItem["kind"], number: number): Promise<TrackedItem> {
    const issue = await this.#issue(number);
    const item = requireKind(itemOf(issue), kind);
    if (kind === "issue" || item.state === "OPEN") return item;
    // Only the pull request says whether it was merged.
    const { merged } = parse(PullRequest, await this.#call("GET", `/pulls/${number}`));
    return { ...item, state: merged ? "MERGED" : item.state };
  }

  async close(kind: TrackedItem["kind"], number: number): Promise<void> {
    const { state } = requireKind(itemOf(await this.#issue(number)), kind);
    if (state !== "OPEN") return;
    const path = kind === "issue" ? `/issues/${number}` : `/pulls/${number}`;
    const reason = kind === "issue" ? { state_reason: "completed" } : {};
    await this.#call("PATCH", path, { state: "closed", ...reason });
  }

  async label(number: number, { add, remove }: LabelChange): Promise<void> {
    const { labels } = itemOf(await this.#issue(number));
    const present = new Set(labels.map(sameLabel));
    const missing = add.filter((label) => !present.has(sameLabel(label)));
    if (missing.length > 0) await this.#call("POST", `/issues/${number}/labels`, { labels: missing });
    for (const label of remove.filter((one) => present.has(sameLabel(one)))) await this.#unlabel(number, label);
  }

  async #issue(number: number): Promise<Issue> {
    return parse(Issue, await this.#call("GET", `/issues/${number}`));
  }

  async #unlabel(number: number, label: string): Promise<void> {
    try {
      await this.#call("DELETE", `/issues/${number}/labels/${encodeURIComponent(label)}`);
    } catch (error) {
      // Removed by another user or program in the meantime.
      if (!(error instanceof GithubFailure) || error.facts.status !== 404) throw error;
    }
  }

  #call(method: GithubRequest["method"], path: string, body?: GithubRequest["body"]): Promise<unknown> {
    return callGithub(this.#access, { method, path: `${this.#path}${path}`, ...(body && { body }) });
  }
}

const Label = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Issue = z.object({
  number: z.number(),
  state: z.string(),
  labels: z.array(Label).default([]),
  /** Present where the issue is a pull request. */
  pull_request: z.unknown().optional(),
});
type Issue = z.infer<typeof Issue>;
const PullRequest = z.object({ merged: z.boolean() });

function parse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw unusableAnswer("github_answer_unexpected");
}

function itemOf({ number, state, labels, pull_request }: Issue): TrackedItem {
  const kind = pull_request ? "pr" : "issue";
  return { kind, number, state: state.toUpperCase(), labels };
}

/** GitHub ignores case in labels. */
function sameLabel(label: string): string {
  return label.toLowerCase();
}
