import { createHash, type Hash } from "node:crypto";
import { existsSync, readSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { E8Error } from "../model/errors.ts";
import type { Template } from "../model/template.ts";
import type { TextFile } from "../model/text-file.ts";
import { errorCode, fileProblem } from "./stores/files/faults.ts";

export async function readTextFile(path: string): Promise<TextFile> {
  try {
    return { name: basename(path), text: await readFile(path, "utf8") };
  } catch (error) {
    throw unreadable(path, error);
  }
}

export function unreadable(path: string, error: unknown): E8Error {
  if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return new E8Error("file_not_found", { path });
  return new E8Error("file_unreadable", { path, problem: fileProblem(error) }, { cause: error });
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

/** A path as seen from the project, with forward slashes. */
export function nameIn(project: string, path: string): string {
  return relative(project, resolve(path)).split(sep).join("/");
}

/** Copies a directory with all that is in it, where it exists. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true });
}

export function isThere(path: string): boolean {
  return existsSync(path);
}

export function absolute(path: string): string {
  return resolve(path);
}

const CHUNK_BYTES = 256 * 1024;

/** The hash of the file's first bytes, to be continued with bytes that are appended. */
export function digestOf(file: number, length: number): Hash {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length));
  for (let position = 0; position < length; ) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, length - position), position);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    position += read;
  }
  return hash;
}

export function isSame(one: Hash, other: Hash): boolean {
  return one.copy().digest("hex") === other.copy().digest("hex");
}

/** The package's own directory. `src/connection`, `dist/connection` and the bundle in `dist/e8` are all two levels below it. */
export const PACKAGE = new URL("../../", import.meta.url);

export const DEMO_PROJECT = fileURLToPath(new URL("examples/demo/", PACKAGE));

/** The shipped prompts, by the names of their files. They are read once in a process. */
export async function readPrompts<N extends string>(names: readonly N[]): Promise<Record<N, Template>> {
  const templates = await Promise.all(names.map(async (name) => [name, await readPrompt(name)] as const));
  return Object.fromEntries(templates) as Record<N, Template>;
}

const prompts = new Map<string, Promise<Template>>();

function readPrompt(name: string): Promise<Template> {
  const file = `prompts/${name}.md`;
  const read = async () => ({ file, text: await readFile(new URL(file, PACKAGE), "utf8") });
  const prompt = prompts.get(name) ?? read();
  prompts.set(name, prompt);
  void prompt.catch(() => prompts.delete(name));
  return prompt;
}

/** Writes a file of JSON, with the directories above it. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    throw unreadable(path, error);
  }
}
