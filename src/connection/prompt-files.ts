import { readFile } from "node:fs/promises";
import type { Template } from "../model/template.ts";
import { PACKAGE } from "./package-files.ts";

const DIRECTORY = new URL("prompts/", PACKAGE);

/** Reads the shipped prompts by the names of their files. */
export async function readPrompts<N extends string>(names: readonly N[]): Promise<Record<N, Template>> {
  const templates = await Promise.all(
    names.map(async (name) => {
      const file = `prompts/${name}.md`;
      return [name, { file, text: await readFile(new URL(`${name}.md`, DIRECTORY), "utf8") }] as const;
    }),
  );
  return Object.fromEntries(templates) as Record<N, Template>;
}
