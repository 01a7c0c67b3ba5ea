import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Environment } from "../../../model/environment.ts";
import type { ModelAccess } from "../backend.ts";
import { hostOf } from "../claude/model-access.ts";
import type { KnownAgent } from "./known-agents.ts";

/** Where a login or a key was found; undefined where there is none. Nobody is asked whether it is valid. */
export function loginOf(
  { login }: KnownAgent,
  environment: Environment,
): { key: string } | { file: string } | undefined {
  const key = login.variables.find((name) => environment[name]?.trim());
  if (key !== undefined) return { key };
  const file = login.files.map((one) => fileOf(one, environment)).find((path) => existsSync(path));
  return file === undefined ? undefined : { file };
}

/** The variable stands for all but the last part of the path, or but the last two where these name the agent. */
function fileOf({ path, variable }: KnownAgent["login"]["files"][number], environment: Environment): string {
  const other = variable === undefined ? undefined : environment[variable];
  if (!other) return join(homeOf(environment), path);
  return /^XDG_/.test(variable ?? "")
    ? join(other, basename(dirname(path)), basename(path))
    : join(other, basename(path));
}

/** What it needs to reach its model, and the files that it works with. */
export function accessOf(agent: KnownAgent, environment: Environment): ModelAccess {
  const { hosts, server, folders, deciding, login } = agent;
  const url = environment[server]?.trim();
  const home = homeOf(environment);
  const moved = login.files.flatMap(({ variable }) =>
    variable && environment[variable] ? [environment[variable]] : [],
  );
  return {
    hosts: url ? [hostOf(url)] : hosts,
    kept: [],
    writable: [...folders.map((folder) => join(home, folder)), ...moved.filter((path) => path !== undefined)],
    readable: deciding.map((path) => join(home, path)),
  };
}

function homeOf(environment: Environment): string {
  return environment.HOME || homedir();
}
