import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type Message, type MessageParams, message } from "../../model/message.ts";
import { redacted } from "../../model/redaction.ts";
import type { IssueTracker } from "../ports/tracker.ts";
import { askGit } from "../processes/git.ts";
import { secretBook } from "../secrets/secret-book.ts";
import { createFolderTracker } from "./folder/folder-tracker.ts";
import { createGithubTracker, GITHUB_API_URL } from "./github/github-tracker.ts";
import { tokenFor } from "./github/token.ts";

/** Where a project keeps issues as files. */
const FOLDER = ".e8/issues";

interface TrackerPlace {
  project: string;
  environment: Environment;
}

/**
 * The project's tracker: its folder of issues, or GitHub. A project with neither gets its folder with the first issue. What is published
 * there holds no secrets of the project and its user.
 */
export async function createTracker(place: TrackerPlace): Promise<IssueTracker> {
  const { redact } = secretBook(resolve(place.project));
  const tracker = await findTracker(place);
  return {
    ...tracker,
    create: (draft, signal) => tracker.create(redacted(draft, redact), signal),
    comment: (number, comment, signal) => tracker.comment(number, redacted(comment, redact), signal),
    openPullRequest: ({ head, base, ...texts }, signal) =>
      tracker.openPullRequest({ ...redacted(texts, redact), head, base }, signal),
  };
}

async function findTracker({ project, environment }: TrackerPlace): Promise<IssueTracker> {
  const { E8_TRACKER: kind = "" } = environment;
  if (!["", "folder", "github"].includes(kind)) return noTracker(message("tracker_unknown", { kind }));
  const folder = join(project, FOLDER);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  if (kind === "folder" || (isFolder && kind !== "github")) return createFolderTracker(folder);
  const repository = await repositoryOf(project, environment);
  if (!repository) return withoutRemote(folder, kind);
  const api_url = apiOf(repository, environment);
  if (!api_url) return noTracker(message("tracker_host_unknown", { host: repository.host }));
  const { host, owner, repo } = repository;
  return createGithubTracker({ owner, repo, token: tokenFor(host, environment), api_url, environment });
}

/** Items that a flow names must be there; a backlog may begin with its first issue. */
function withoutRemote(folder: string, kind: string): IssueTracker {
  const nothing = noTracker(message("tracker_missing", { folder: FOLDER }));
  const { get, close, label } = nothing;
  return kind === "github" ? nothing : { ...createFolderTracker(folder), get, close, label };
}

/** A token goes to GitHub itself, or to a host that the user names, but not to an unknown host of `origin`. */
function apiOf({ host }: RemoteRepository, environment: Environment): string | undefined {
  if (environment.GITHUB_API_URL) return environment.GITHUB_API_URL;
  if (host === "github.com" || host === "www.github.com") return GITHUB_API_URL;
  if (host.endsWith(".ghe.com")) return `https://api.${host}`;
  return host === environment.GH_HOST?.toLowerCase() ? `https://${host}/api/v3` : undefined;
}

function noTracker(problem: Message): IssueTracker {
  const refuse = async (what: MessageParams["tracker_act"]) => {
    const file = what.number === undefined ? {} : { file: `${FOLDER}/${what.number}.md` };
    throw new E8Error("tracker_failed", { what: message("tracker_act", what), problem, ...file });
  };
  return {
    list: () => refuse({ act: "list" }),
    get: (kind, number) => refuse({ act: "read", kind, number }),
    create: () => refuse({ act: "create" }),
    close: (kind, number) => refuse({ act: "close", kind, number }),
    label: (number) => refuse({ act: "label", number }),
    comments: (number) => refuse({ act: "read_comments", number }),
    comment: (number) => refuse({ act: "comment", number }),
    findPullRequest: (name) => refuse({ act: "find_pull_request", name }),
    openPullRequest: ({ head }) => refuse({ act: "open_pull_request", name: head }),
    link: ({ pull_request }) => refuse({ act: "link", number: pull_request }),
    labels: () => refuse({ act: "read_labels" }),
    saveLabel: ({ name }) => refuse({ act: "save_label", name }),
    release: ({ tag }) => refuse({ act: "release", name: tag }),
  };
}

interface RemoteRepository {
  host: string;
  owner: string;
  repo: string;
}

const TIMEOUT_SECONDS = 10;

/** The repository that the project's `origin` names. */
export async function repositoryOf(
  project: string,
  environment: Environment = process.env,
): Promise<RemoteRepository | undefined> {
  const question = { directory: project, environment, timeout_seconds: TIMEOUT_SECONDS };
  const { exit_code, output } = await askGit(["remote", "get-url", "origin"], question);
  return exit_code === 0 ? parseRemote(output.trim()) : undefined;
}

/** Reads `https://host/owner/repo.git`, `ssh://git@host:22/owner/repo` and `git@host:owner/repo.git`. */
export function parseRemote(remote: string): RemoteRepository | undefined {
  const match = URL_FORM.exec(remote) ?? SCP_FORM.exec(remote);
  const { host, path } = match?.groups ?? {};
  const [repo, owner] = (path ?? "").replace(/\/+$/, "").split("/").reverse();
  const name = repo?.replace(/\.git$/, "");
  if (!host || !owner || !name) return undefined;
  return { host: host.toLowerCase().replace(/^ssh\./, ""), owner: decoded(owner), repo: decoded(name) };
}

const URL_FORM = /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^@/]*@)?(?<host>[^/:]+)(?::\d+)?\/+(?<path>.+)$/i;
const SCP_FORM = /^(?:[^@/:]+@)?(?<host>[^/:]+):(?!\/\/)\/?(?<path>.+)$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
