import { basename } from "node:path";
import { type Starter, starterFile } from "../configuration/task/starter-file.ts";
import { absolute, within } from "../connection/files.ts";
import {
  readStarterTemplate,
  requireFree,
  schemaReference,
  writeStarter,
} from "../connection/starter/starter-files.ts";
import { requireProject } from "../connection/stores/task-directory.ts";
import type { Language } from "../model/phrases.ts";

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

export { guessCheck } from "../connection/starter/guess-checks.ts";
