import type { Environment } from "../../model/environment.ts";
import { askGit } from "../processes/git.ts";

export interface RemoteRepository {
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
