import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type Message, type MessageParams, message } from "../../model/message.ts";
import type { IssueTracker } from "../ports/tracker.ts";
import { createFolderTracker } from "./folder-tracker.ts";
import { createGithubTracker, GITHUB_API_URL } from "./github-tracker.ts";
import { type RemoteRepository, repositoryOf } from "./repository.ts";

export interface TrackerOptions {
  project: string;
  environment: Environment;
}

/** Where a project keeps issues as files. */
const FOLDER = ".e8/issues";

/** The project's tracker: its folder of issues, or GitHub. A project with neither gets one that throws at its first use. */
export async function createTracker({ project, environment }: TrackerOptions): Promise<IssueTracker> {
  const { E8_TRACKER: kind = "" } = environment;
  if (!["", "folder", "github"].includes(kind)) return noTracker(message("tracker_unknown", { kind }));
  const folder = join(project, FOLDER);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  if (kind === "folder" || (isFolder && kind !== "github")) return createFolderTracker(folder);
  const repository = await repositoryOf(project, environment);
  if (!repository) return noTracker(message("tracker_missing", { folder: FOLDER }));
  const token = environment.GITHUB_TOKEN || environment.GH_TOKEN;
  if (!token) return noTracker(message("tracker_token_missing", {}));
  const api_url = apiOf(repository, environment);
  if (!api_url) return noTracker(message("tracker_host_unknown", { host: repository.host }));
  return createGithubTracker({ owner: repository.owner, repo: repository.repo, token, api_url, environment });
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
    const file = `${FOLDER}/${what.number}.md`;
    throw new E8Error("tracker_failed", { what: message("tracker_act", what), problem, file });
  };
  return {
    get: (kind, number) => refuse({ act: "read", kind, number }),
    close: (kind, number) => refuse({ act: "close", kind, number }),
    label: (number) => refuse({ act: "label", number }),
  };
}
