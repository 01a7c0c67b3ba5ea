import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));
const english = await readdir(DOCS);
const translated = (await readdir(join(DOCS, "ja"))).filter((name) => english.includes(name));

/** The words of everything that a page quotes as code. */
function quotedWords(page: string): Set<string> {
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return new Set([...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => code.split(/[^A-Za-z0-9_$:-]+/)));
}

/** The files that a page spells out: a name on its own line, then a fenced block. */
function spelledFiles(page: string): string[] {
  return [...page.matchAll(/^`[^`\n]+`\n\n```\w+\n[\s\S]*?^```$/gm)].map(([text]) => text);
}

test.each(translated)(
  "the Japanese %s names all that the English one names, and spells out the same files",
  async (name) => {
    const [original, translation] = await Promise.all(
      [join(DOCS, name), join(DOCS, "ja", name)].map((path) => readFile(path, "utf8")),
    );
    const known = quotedWords(translation ?? "");

    expect([...quotedWords(original ?? "")].filter((word) => !known.has(word))).toEqual([]);
    expect(spelledFiles(translation ?? "")).toEqual(spelledFiles(original ?? ""));
  },
);

test("the programs on the Japanese page of the library are those of the English one, which are run", async () => {
  const [original, translation] = await Promise.all(
    ["library.md", "ja/library.md"].map((name) => readFile(join(DOCS, name), "utf8")),
  );
  const blocks = (page = "") => page.match(/^```[\s\S]*?^```$/gm);

  expect(blocks(translation)).toEqual(blocks(original));
});

test("the pages that a user needs are there", () => {
  const needed = ["getting-started", "task-file", "agents", "proof", "orchestrator", "fleet", "library", "errors"];
  expect(translated).toEqual(expect.arrayContaining(needed.map((name) => `${name}.md`)));
});
