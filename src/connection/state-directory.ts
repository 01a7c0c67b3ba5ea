import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";

/** Holds what a worker must neither read nor change. It lies outside every project, and a sandbox hides it from workers. */
export function stateDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: chosen = "", HOME: home } = environment;
  return join(isAbsolute(chosen) ? chosen : join(home || homedir(), ".local", "state"), "endless8");
}

/** The part of one project: its directory's name, and a digest of its real path. */
export function projectState(project: string): string {
  const digest = createHash("sha256").update(realPath(project)).digest("hex").slice(0, 16);
  return join(stateDirectory(), "projects", `${basename(project) || "root"}-${digest}`);
}

/** Stands for the files of a project that are on other machines. It is never made. */
export function elsewhereDirectory(store: string, project: string): string {
  const digest = createHash("sha256").update(`${store}\n${project}`).digest("hex").slice(0, 16);
  return join(stateDirectory(), "elsewhere", digest);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the project is gone
  }
}
