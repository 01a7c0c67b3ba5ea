import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { E8Error } from "../model/errors.ts";

export interface ShownProject {
  /** In addresses: the same after every start. */
  key: string;
  name: string;
  directory: string;
  /** Its files are on other machines: its tasks are shown, and steered as far as no file is needed. */
  isElsewhere: boolean;
}

export type ElsewhereProject = Pick<ShownProject, "name" | "directory">;

export function shownProjects(
  directories: readonly string[],
  elsewhere: readonly ElsewhereProject[] = [],
): ShownProject[] {
  const paths = [...new Set(directories.map((one) => resolve(one)))];
  const here = paths.map((directory) => ({ name: basename(directory) || directory, directory, isElsewhere: false }));
  const others = elsewhere.map((one) => ({ ...one, isElsewhere: true }));
  return [...here, ...others].map((one) => ({ key: keyOf(one), ...one }));
}

function keyOf({ name, directory }: ElsewhereProject): string {
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 8);
  const word = name
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return word === "" ? digest : `${word}-${digest}`;
}

/** Throws where what is asked for needs the project's files, and they are not on this machine. */
export function requireHere({ name, isElsewhere }: ShownProject): void {
  if (isElsewhere) throw new E8Error("dashboard_elsewhere", { project: name });
}
