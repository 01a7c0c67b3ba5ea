import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Language } from "../../src/model/language.ts";
import { enErrors } from "../../src/texts/en/errors.ts";
import { jaErrors } from "../../src/texts/ja/errors.ts";

const SCRIPT = new URL("../../scripts/docs/errors-page.mjs", import.meta.url).href;
const { errorsPage } = (await import(SCRIPT)) as { errorsPage: (errors: object, language: Language) => string };

test.each([
  ["en", enErrors, "docs/errors.md", "**What to do**"],
  ["ja", jaErrors, "docs/ja/errors.md", "**対処**"],
] as const)(
  "the page of errors in %s has every code with its cause and cure, as the program says them",
  (language: Language, errors, file, cure) => {
    const page = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    const sections = page.split(/^## /m).slice(1);

    expect(page).toBe(errorsPage(errors, language)); // else: npm run compile && node scripts/docs/write-errors.mjs
    expect(sections.map((section) => section.split("\n")[0])).toEqual(Object.keys(enErrors).sort());
    for (const section of sections) {
      expect(section).toMatch(/^> ./m);
      expect(section.slice(section.indexOf(cure) + cure.length).trim().length).toBeGreaterThan(5);
      expect(section).not.toMatch(/undefined|\[object|=>/);
    }
  },
);
