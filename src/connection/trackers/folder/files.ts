import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Document } from "yaml";
import { makeFile, sweepDrafts } from "../../stores/files/durable.ts";
import { errorCode } from "../../stores/files/faults.ts";
import { formatIssueFile } from "./issue-file.ts";

/** In the folder: the labels that issues can have. */
export const LABELS = "labels.yaml";

/** The numbers of the files `<number>.md`, lowest first. None where the directory is missing. */
export async function numbersIn(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  const numbers = names.flatMap((name) => /^([1-9]\d{0,8})\.md$/.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((a, b) => a - b);
}

/** A file to be made: its frontmatter, without the values that are undefined, and its body. */
export interface NewFile {
  frontmatter: Readonly<Record<string, unknown>>;
  body: string;
}

/** Makes the next `<number>.md`: complete at once, and never in another file's place. */
export async function addNumbered(directory: string, file: NewFile): Promise<number> {
  await mkdir(directory, { recursive: true });
  for (let number = ((await numbersIn(directory)).at(-1) ?? 0) + 1; ; number += 1)
    if (await addFile(join(directory, `${number}.md`), file)) return number;
}

/** False when the file exists. */
export async function addFile(path: string, { frontmatter, body }: NewFile): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  const text = body === "" || body.endsWith("\n") ? body : `${body}\n`;
  return makeFile(path, formatIssueFile({ frontmatter: new Document(defined(frontmatter)), body: text }));
}

/** Drafts of these files, which a process that was killed while it had the folder's lock has left. */
export async function sweepFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const beside = names.filter((name) => /^([1-9]\d*\.comments|releases)$/.test(name)).map((name) => join(folder, name));
  for (const directory of [folder, ...beside])
    await sweepDrafts(directory, (name) => name.endsWith(".md") || name === LABELS);
}

function defined(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
