import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { scaffoldFlow } from "../../../src/connection/flows/flow-templates.ts";
import { englishLines, japaneseLines } from "../../support/prose.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const TEMPLATES = fileURLToPath(new URL("../../../templates/agents/", import.meta.url));
const NAMES = readdirSync(join(TEMPLATES, "en"));

test("every template is there in every language", () => {
  expect(readdirSync(TEMPLATES).sort()).toEqual(["en", "ja"]);
  expect(readdirSync(join(TEMPLATES, "ja"))).toEqual(NAMES);
});

describe.for(NAMES)("%s", (template) => {
  const files = filesIn(join(TEMPLATES, "en", template));

  test("has the same files in both languages", () => {
    expect(filesIn(join(TEMPLATES, "ja", template))).toEqual(files);
  });

  test.each(files.filter((file) => file.endsWith(".json")))("%s differs only in prose", (file) => {
    const [english, japanese] = ["en", "ja"].map((language) =>
      withoutProse(JSON.parse(readFileSync(join(TEMPLATES, language, template, file), "utf8"))),
    );
    expect(japanese).toEqual(english);
  });

  test.each(files.filter((file) => file.endsWith(".md")))("%s asks for the same values", (file) => {
    const [english, japanese] = ["en", "ja"].map((language) => readFileSync(join(TEMPLATES, language, template, file)));
    expect(placeholders(String(japanese))).toEqual(placeholders(String(english)));
  });

  test("is written in the language that was chosen, under the name that was given", async () => {
    const project = await temporaryDirectory();
    const [english, japanese] = [
      await scaffoldFlow(project, "worker-en", { template, language: "en" }),
      await scaffoldFlow(project, "worker-ja", { template, language: "ja" }),
    ];

    expect(japaneseLines(textsIn(english))).toEqual([]);
    expect(englishLines(prose(japanese))).toEqual([]);
    expect(japaneseLines(prose(japanese)).length).toBeGreaterThan(10);
    expect(textsIn(japanese)).not.toContain(template);
  });
});

function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

function textsIn(directory: string): string {
  return filesIn(directory)
    .map((file) => readFileSync(join(directory, file), "utf8"))
    .join("\n");
}

/** What is not in quotes that stand around names: in JSON, the values that people read. */
function prose(directory: string): string {
  const json = filesIn(directory).filter((file) => file.endsWith(".json"));
  const rest = filesIn(directory).filter((file) => !file.endsWith(".json"));
  const values = json.flatMap((file) => proseIn(JSON.parse(readFileSync(join(directory, file), "utf8"))));
  return [...values, ...rest.map((file) => commandless(readFileSync(join(directory, file), "utf8")))].join("\n");
}

/** Code that a story has the model write or run. */
function commandless(text: string): string {
  return text.replaceAll(/^ *(command: |import |export |test\().*$/gm, "");
}

const PROSE = ["description", "name", "displayName", "default"];

function proseIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === "string" && PROSE.includes(key) ? [one] : proseIn(one),
  );
}

function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === "string" && PROSE.includes(key) ? "" : withoutProse(one),
    ]),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{uv-[\w-]+\}|\{\{[^}]*\}\}|`[^`]*`/g)].map(([found]) => found).sort();
}
