import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { E8Error } from "../model/errors.ts";

export interface ShownProject {
  /** In addresses: the same after every start. */
  key: string;
  name: string;
  directory: string;
}

export function shownProjects(directories: readonly string[]): ShownProject[] {
  const paths = [...new Set(directories.map((one) => resolve(one)))];
  return paths.map((directory) => ({ key: keyOf(directory), name: basename(directory) || directory, directory }));
}

function keyOf(directory: string): string {
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 8);
  const word = basename(directory)
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return word === "" ? digest : `${word}-${digest}`;
}

export function projectIn(projects: readonly ShownProject[], key: string): ShownProject {
  const found = projects.find((project) => project.key === key);
  if (!found) throw new E8Error("dashboard_nothing", { path: key });
  return found;
}
