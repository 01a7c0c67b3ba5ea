import { readFile } from "node:fs/promises";
import { basename, isAbsolute, join, resolve } from "node:path";
import { E8Error } from "../model/errors.ts";
import type { TextFile } from "../model/text-file.ts";
import { problemWording } from "./stores/files/faults.ts";

export async function readTextFile(path: string): Promise<TextFile> {
  try {
    return { name: basename(path), text: await readFile(path, "utf8") };
  } catch (error) {
    if (isMissing(error)) throw new E8Error("file_not_found", { path });
    throw new E8Error("file_unreadable", { path, problem: problemWording(error) }, { cause: error });
  }
}

export async function readTextFileIfThere(path: string): Promise<TextFile | undefined> {
  try {
    return await readTextFile(path);
  } catch (error) {
    if (error instanceof E8Error && error.code === "file_not_found") return undefined;
    throw error;
  }
}

/** The path as seen from the project, unless it is absolute. */
export function within(project: string, path: string): string {
  return isAbsolute(path) ? path : join(project, path);
}

export function absolute(path: string): string {
  return resolve(path);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
