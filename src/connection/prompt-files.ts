import { readFile } from "node:fs/promises";
import type { Template } from "../model/template.ts";

/** The same from `src` and from `dist`: both lie directly below the package's root. */
const DIRECTORY = new URL("../../prompts/", import.meta.url);

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
