import { existsSync } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { E8Error } from "../model/errors.ts";
import { jsonIn } from "../model/json.ts";
import type { Language } from "../model/language.ts";
import type { Template } from "../model/template.ts";
import { PACKAGE, readTextFile, readTextFileIfThere } from "./files.ts";
import { replaceFile } from "./stores/files/durable.ts";
import { errorCode, writeFault } from "./stores/files/faults.ts";

const SCHEMA = "schemas/task.schema.json";

export async function readStarterTemplate(language: Language): Promise<Template> {
  const url = new URL(`templates/task/${language}.yaml.template`, PACKAGE);
  const { name, text } = await readTextFile(decodeURIComponent(url.pathname));
  return { file: name, text };
}

/**
 * The schema that the first line of a task file names for editors: the copy in the project's own dependencies, which has the same
 * path on every machine. Undefined where there is none, or where its path has a space: editors read the line up to the first one.
 */
export function schemaReference(project: string, file: string): string | undefined {
  const local = join(project, "node_modules", "endless8", SCHEMA);
  const path = relative(dirname(file), local);
  if (!existsSync(local) || /[\s%]/.test(path)) return undefined;
  return path.startsWith(".") ? path : `./${path}`;
}

/** Fails before the user is asked questions. `writeStarter` checks again. */
export function requireFree(path: string, { force }: { force: boolean }): void {
  if (!force && existsSync(path)) throw new E8Error("file_exists", { path });
}

/** Overwrites only with `force`. */
export async function writeStarter(path: string, text: string, { force }: { force: boolean }): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await (force ? replaceFile(path, text) : writeNew(path, text));
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw new E8Error("file_exists", { path });
    throw writeFault(error, path);
  }
}

/** Removes a file that a full disk cut short: it would block the next attempt. */
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

/** The names of the files at a project's top, and its package.json. */
export async function filesOf(project: string): Promise<{ names: string[]; manifest: string | undefined }> {
  const names = await readdir(project).catch(() => []);
  const manifest = await readTextFileIfThere(join(project, "package.json")).catch(() => undefined);
  return { names, manifest: manifest?.text };
}

/** The command that most likely checks this project. */
export async function guessCheck(project: string): Promise<string | undefined> {
  for (const [name, read] of GUESSES) {
    const file = await readTextFileIfThere(join(project, name)).catch(() => undefined);
    const command = file && read(file.text);
    if (command) return command;
  }
  return undefined;
}

/** A Makefile often only calls the other tools, so it comes last. */
const GUESSES: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ["package.json", npmCheck],
  ["deno.json", () => "deno test"],
  // Their environment is where the clean checkout has the packages.
  ["uv.lock", () => "uv run pytest"],
  ["poetry.lock", () => "poetry run pytest"],
  ["Pipfile.lock", () => "pipenv run pytest"],
  ["pyproject.toml", (text) => (text.includes("[tool.poetry]") ? "poetry run pytest" : pythonCheck(text))],
  ["Cargo.toml", () => "cargo test"],
  ["go.mod", () => "go test ./..."],
  ["Makefile", (text) => ["check", "test"].flatMap((target) => makeTarget(text, target))[0]],
];

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
});

/** The test script that `npm init` writes. */
const NO_TESTS = /no test specified/;

function npmCheck(text: string): string | undefined {
  const manifest = Manifest.safeParse(jsonIn(text)).data;
  const test = manifest?.scripts?.test;
  if (!test || NO_TESTS.test(test)) return undefined;
  return `${/^(pnpm|yarn|bun)@/.exec(manifest?.packageManager ?? "")?.[1] ?? "npm"} test`;
}

function pythonCheck(text: string): string {
  return text.includes("[tool.uv]") ? "uv run pytest" : "python -m pytest";
}

function makeTarget(text: string, target: string): string[] {
  return new RegExp(`^${target}\\s*:(?!=)`, "m").test(text) ? [`make ${target}`] : [];
}
