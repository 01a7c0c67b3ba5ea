import { z } from "zod";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type Words, wordingOf } from "../../model/statement.ts";
import type { IssueTracker, LabelChange, TrackedItem } from "../ports/tracker.ts";
import { acts, CANCELLED, refuseOtherKind, trackerFault } from "./faults.ts";
import { callGithub, type GithubAccess, type GithubRequest, Refusal } from "./github-api.ts";
import { type Patience, patiently } from "./patience.ts";

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
  const attempt = async <T>(what: Words, signal: AbortSignal, act: (github: Repository) => Promise<T>): Promise<T> => {
    try {
      return await patiently(options.patience ?? PATIENCE, () => act(new Repository(options, signal)), signal);
    } catch (error) {
      if (error instanceof E8Error) throw error;
      throw trackerFault(inRepository(what, repository), signal.aborted ? CANCELLED : wordingOf(error), error);
    }
  };
  return {
    get: (kind, number, signal) => attempt(acts.read(kind, number), signal, (github) => github.get(kind, number)),
    close: (kind, number, signal) => attempt(acts.close(kind, number), signal, (github) => github.close(kind, number)),
    label: (number, change, signal) => attempt(acts.label(number), signal, (github) => github.label(number, change)),
  };
}

function inRepository({ en, ja }: Words, repository: string): Words {
  return { en: `${en} of ${repository}`, ja: `${repository} の${ja}` };
}

/** One attempt at each of the port's acts. Each looks before it changes anything, so that it can be repeated. */
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
    const item = refuseOtherKind(itemOf(issue), kind);
    if (kind === "issue" || item.state === "OPEN") return item;
    // Only the pull request itself tells whether it was merged.
    const { merged } = parse(PullRequest, await this.#call("GET", `/pulls/${number}`));
    return { ...item, state: merged ? "MERGED" : item.state };
  }

  async close(kind: TrackedItem["kind"], number: number): Promise<void> {
    const { state } = refuseOtherKind(itemOf(await this.#issue(number)), kind);
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
      // Somebody else has removed it in the meantime.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
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
  throw new Refusal(200, NOT_GITHUB);
}

const NOT_GITHUB: Words = {
  en: "the answer is not the one that GitHub's API gives",
  ja: "GitHub の API の応答ではありません",
};

function itemOf({ number, state, labels, pull_request }: Issue): TrackedItem {
  const kind = pull_request ? "pr" : "issue";
  return { kind, number, state: state.toUpperCase(), labels };
}

/** To GitHub, labels that differ only in case are one. */
function sameLabel(label: string): string {
  return label.toLowerCase();
}
