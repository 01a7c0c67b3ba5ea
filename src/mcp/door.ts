import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { chooseStore } from "../compose/choose-store.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import type { Texts } from "../texts/en/catalogue.ts";

/** What every tool is handed. */
export interface Door {
  /** The project that is meant where a call names none. */
  project: string;
  /** Runs start and tasks are read in these directories and below, nowhere else. */
  roots: readonly string[];
  /** Where the tasks are, as `--store` said it. */
  store?: string | undefined;
  environment: Environment;
  texts: Texts;
}

/**
 * The project of a call. Its path came from a model, so it must lie below a root once all links are followed; else
 * `project_not_allowed`.
 */
export async function projectOf(door: Door, named: string | undefined): Promise<string> {
  const wanted = resolve(door.project, named ?? ".");
  const [real, ...roots] = await Promise.all([wanted, ...door.roots].map(realPlace));
  if (!roots.some((root) => isWithin(root, real ?? wanted)))
    throw new E8Error("project_not_allowed", { path: wanted, roots: door.roots });
  await chooseStore({ project: wanted, url: door.store, environment: door.environment });
  return wanted;
}

/** A task file that a call names: it may lie in the project only. */
export async function fileIn(project: string, named: string): Promise<string> {
  const wanted = resolve(project, named);
  const [real = wanted, root = project] = await Promise.all([wanted, project].map(realPlace));
  if (!isWithin(root, real)) throw new E8Error("project_not_allowed", { path: wanted, roots: [project] });
  return wanted;
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** Of what is not there, as far as it is there: whoever uses it will say that it is missing. */
async function realPlace(path: string): Promise<string> {
  const above = dirname(path);
  return realpath(path).catch(async () => (above === path ? path : join(await realPlace(above), basename(path))));
}
