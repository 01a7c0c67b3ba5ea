import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import type { Words } from "../../model/statement.ts";
import type { IssueTracker } from "../ports/tracker.ts";
import { acts } from "./faults.ts";
import { createFolderTracker } from "./folder-tracker.ts";
import { createGithubTracker, GITHUB_API_URL } from "./github-tracker.ts";
import { type RemoteRepository, repositoryOf } from "./repository.ts";

export interface TrackerCircumstances {
  project: string;
  environment: Environment;
}

/** Where a project keeps its issues when they are files. */
const FOLDER = ".e8/issues";

/** The project's tracker: its folder of issues, or GitHub. Where there is neither, one that says why at its first use. */
export async function createTracker({ project, environment }: TrackerCircumstances): Promise<IssueTracker> {
  const { E8_TRACKER: kind = "" } = environment;
  if (!["", "folder", "github"].includes(kind)) return noTracker(noSuch(kind));
  const folder = join(project, FOLDER);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  if (kind === "folder" || (isFolder && kind !== "github")) return createFolderTracker(folder);
  const repository = await repositoryOf(project, environment);
  if (!repository) return noTracker(NOWHERE);
  const token = environment.GITHUB_TOKEN || environment.GH_TOKEN;
  if (!token) return noTracker(NO_TOKEN);
  const api_url = apiOf(repository, environment);
  if (!api_url) return noTracker(unknownHost(repository));
  return createGithubTracker({ owner: repository.owner, repo: repository.repo, token, api_url, environment });
}

function noSuch(kind: string): Words {
  return {
    en: `E8_TRACKER is "${kind}"; it may be folder or github`,
    ja: `E8_TRACKER が "${kind}" です。使えるのは folder か github です`,
  };
}

const NOWHERE: Words = {
  en: `there is neither a folder ${FOLDER} nor a git remote named origin`,
  ja: `フォルダー ${FOLDER} も、git のリモート origin もありません`,
};
const NO_TOKEN: Words = {
  en: "neither GITHUB_TOKEN nor GH_TOKEN is set",
  ja: "GITHUB_TOKEN も GH_TOKEN も設定されていません",
};

/** A token goes to GitHub itself, or where the user says: not to whatever host a repository came from. */
function apiOf({ host }: RemoteRepository, environment: Environment): string | undefined {
  if (environment.GITHUB_API_URL) return environment.GITHUB_API_URL;
  if (host === "github.com" || host === "www.github.com") return GITHUB_API_URL;
  if (host.endsWith(".ghe.com")) return `https://api.${host}`;
  return host === environment.GH_HOST?.toLowerCase() ? `https://${host}/api/v3` : undefined;
}

function unknownHost({ host }: RemoteRepository): Words {
  const setting = `GITHUB_API_URL=https://${host}/api/v3`;
  return {
    en: `origin is on ${host}; if that is a GitHub Enterprise server, set ${setting}`,
    ja: `origin は ${host} にあります。GitHub Enterprise サーバーなら ${setting} を設定してください`,
  };
}

function noTracker(problem: Words): IssueTracker {
  const refuse = async (what: Words, number: number) => {
    throw new E8Error("tracker_failed", { what, problem, file: `${FOLDER}/${number}.md` });
  };
  return {
    get: (kind, number) => refuse(acts.read(kind, number), number),
    close: (kind, number) => refuse(acts.close(kind, number), number),
    label: (number) => refuse(acts.label(number), number),
  };
}
