import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { oneOf, unfit } from "../../model/flag-value.ts";
import type { Language } from "../../model/language.ts";
import { message } from "../../model/message.ts";
import { PACKAGE } from "../files.ts";
import { errorCode, writeFault } from "../stores/files/faults.ts";

const TEMPLATES = new URL("templates/agents/", PACKAGE);

export interface TemplateChoice {
  template: string;
  language: Language;
}

/** Every language has the same templates. */
export async function templateNames(): Promise<string[]> {
  const entries = await readdir(new URL("en/", TEMPLATES), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Copies a template into a project's `.agent/<name>`. Never overwrites. Returns the directory. */
export async function scaffoldFlow(
  project: string,
  name: string,
  { template, language }: TemplateChoice,
): Promise<string> {
  const names = await templateNames();
  if (!names.includes(template))
    throw new E8Error("flag_invalid", {
      flag: "--from",
      problem: unfit(template, oneOf(names)),
      command: "agent init",
    });
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new E8Error("flag_invalid", { flag: name, problem: message("flow_name_invalid", {}), command: "agent init" });
  const directory = join(project, ".agent", name);
  await makeNew(directory);
  try {
    await copyTemplate({ template, language }, { directory, name });
  } catch (error) {
    await rm(directory, { recursive: true, force: true }); // half a flow would block the next attempt
    throw writeFault(error, directory);
  }
  return directory;
}

async function copyTemplate(
  { template, language }: TemplateChoice,
  { directory, name }: { directory: string; name: string },
): Promise<void> {
  const source = new URL(`${language}/${template}/`, TEMPLATES);
  for (const file of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const target = join(directory, path.slice(decodeURIComponent(source.pathname).length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, (await readFile(path, "utf8")).replaceAll(template, name));
  }
}

async function makeNew(directory: string): Promise<void> {
  try {
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw new E8Error("agent_exists", { path: directory }, { cause: error });
    throw writeFault(error, directory);
  }
}
