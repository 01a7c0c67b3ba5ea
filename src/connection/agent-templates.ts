import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { E8Error } from "../model/errors.ts";
import type { Language } from "../model/phrases.ts";
import { PACKAGE } from "./package-files.ts";

const TEMPLATES = new URL("templates/agents/", PACKAGE);

export interface TemplateChoice {
  template: string;
  language: Language;
}

/** Every language has the same. */
export async function templateNames(): Promise<string[]> {
  const entries = await readdir(new URL("en/", TEMPLATES), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Copies a template into a project's `.agent/<name>`, under that name. Never overwrites. Returns the directory. */
export async function scaffoldAgent(
  project: string,
  name: string,
  { template, language }: TemplateChoice,
): Promise<string> {
  const names = await templateNames();
  if (!names.includes(template))
    throw new E8Error("flag_invalid", {
      flag: "--from",
      problem: `${template} (${names.join(" | ")})`,
      command: "agent init",
    });
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new E8Error("flag_invalid", { flag: name, problem: "^[a-z][a-z0-9-]*$", command: "agent init" });
  const directory = join(project, ".agent", name);
  await makeNew(directory);
  const source = new URL(`${language}/${template}/`, TEMPLATES);
  for (const file of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const target = join(directory, path.slice(decodeURIComponent(source.pathname).length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, (await readFile(path, "utf8")).replaceAll(template, name));
  }
  return directory;
}

async function makeNew(directory: string): Promise<void> {
  try {
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const problem = isThere ? { en: "it exists already", ja: "すでにあります" } : (error as Error).message;
    throw new E8Error("write_failed", { path: directory, problem });
  }
}
