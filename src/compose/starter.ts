import { basename } from "node:path";
import { guessSetup, type SetupGuess } from "../configuration/task/guess-setup.ts";
import { type Starter, starterFile } from "../configuration/task/starter-file.ts";
import { absolute, within } from "../connection/files.ts";
import { requireProject } from "../connection/project.ts";
import { filesOf, readStarterTemplate, requireFree, schemaReference, writeStarter } from "../connection/starter.ts";
import type { Language } from "../model/language.ts";

export interface StarterRequest extends Omit<Starter, "schema" | "file"> {
  project: string;
  /** As seen from the project. */
  file: string;
  language: Language;
  force: boolean;
}

export type StarterPlace = Pick<StarterRequest, "project" | "file" | "force">;

/** Throws where no new task file can be made. */
export async function requireStarterPlace({ project, file, force }: StarterPlace): Promise<void> {
  await requireProject(absolute(project));
  requireFree(within(absolute(project), file), { force });
}

/** Writes a new task file and returns its path. */
export async function makeStarter(request: StarterRequest): Promise<string> {
  const { language, force, ...said } = request;
  const project = absolute(request.project);
  const path = within(project, request.file);
  const template = await readStarterTemplate(language);
  const text = starterFile(template, { ...said, file: basename(path), schema: schemaReference(project, path) });
  await writeStarter(path, text, { force });
  return path;
}

/** What prepares a clean checkout of the project, by its lock files. */
export async function guessPreparation(project: string): Promise<SetupGuess> {
  const { names, manifest } = await filesOf(absolute(project));
  return guessSetup(names, manifest);
}

export { guessCheck } from "../connection/starter.ts";
