import { basename } from "node:path";
import type { RemoteRepository } from "../../model/task.ts";
import { gitAt } from "./checkout.ts";

/**
 * What a project is called where several machines share its records: the remote that it comes from and its path in it, without
 * credentials; the name of its directory where it comes from none.
 */
export async function projectName(directory: string): Promise<string> {
  const git = gitAt(directory);
  const place = placeOf((await git(["config", "--get", "remote.origin.url"])).output.trim());
  if (place === undefined) return basename(directory);
  const inside = (await git(["rev-parse", "--show-prefix"])).output.trim().replace(/\/$/, "");
  return inside === "" ? place : `${place}/${inside}`;
}

/** Where workers on other machines find the project. Undefined where it has no such remote. */
export async function repositoryOf(
  directory: string,
  { base, remote }: { base: string | null; remote: string },
): Promise<RemoteRepository | undefined> {
  const git = gitAt(directory);
  const ask = async (...words: string[]) => (await git(words)).output.trim();
  const url = await ask("config", "--get", `remote.${remote}.url`);
  if (url === "") return undefined;
  const path = (await ask("rev-parse", "--show-prefix")).replace(/\/$/, "");
  return { url, base: base ?? ((await ask("symbolic-ref", "--quiet", "--short", "HEAD")) || "main"), path };
}

/** `git@github.com:team/project.git` and `https://user:token@github.com/team/project` are both `github.com/team/project`. */
export function placeOf(remote: string): string | undefined {
  const [, host, path] = /^(?:[\w+.-]+:\/\/)?(?:[^@/]*@)?([^/:@]+)(?::\d+)?[/:]+(.+?)(?:\.git)?\/*$/.exec(remote) ?? [];
  if (host !== undefined && path !== undefined && !/^(?:[./~]|file:)/.test(remote))
    return `${host.toLowerCase()}/${path}`;
  return remote === "" ? undefined : basename(remote).replace(/\.git$/, "");
}
