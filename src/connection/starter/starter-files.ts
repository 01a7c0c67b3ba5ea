import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { E8Error } from "../../model/errors.ts";
import type { Language } from "../../model/phrases.ts";
import type { Template } from "../../model/template.ts";
import { readTextFile } from "../files.ts";
import { PACKAGE } from "../package-files.ts";
import { replaceFile } from "../stores/files/durable.ts";
import { errorCode, writeFault } from "../stores/files/faults.ts";

const SCHEMA = "schemas/task.schema.json";

export async function readStarterTemplate(language: Language): Promise<Template> {
  const url = new URL(`templates/task/${language}.yaml.template`, PACKAGE);
  const { name, text } = await readTextFile(decodeURIComponent(url.pathname));
  return { file: name, text };
}

/**
 * What the first line of a task file points an editor at: the copy among the project's own dependencies, which is the
 * same on every machine, or else ours. A URL, because the line is read up to the first space.
 */
export function schemaReference(project: string, file: string): string {
  const local = join(project, "node_modules", "endless8", SCHEMA);
  const path = relative(dirname(file), local);
  if (!existsSync(local) || /[\s%]/.test(path)) return new URL(SCHEMA, PACKAGE).href;
  return path.startsWith(".") ? path : `./${path}`;
}

/** Said before anybody is asked anything. Writing still looks for itself. */
export function requireFree(path: string, { force }: { force: boolean }): void {
  if (!force && existsSync(path)) throw new E8Error("file_exists", { path });
}

/** Never overwrites, unless that is asked for. */
export async function writeStarter(path: string, text: string, { force }: { force: boolean }): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await (force ? replaceFile(path, text) : writeNew(path, text));
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw new E8Error("file_exists", { path });
    throw writeFault(error, path);
  }
}

/** Leaves nothing behind that a full disk cut short: the next attempt would find the place taken. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
