import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const IDS = [...numbers("FR", 34), ...numbers("SC", 7)];

test("docs/requirements.md has a row for every requirement, in order", async () => {
  expect([...(await rows()).keys()]).toEqual(IDS);
});

test.each(IDS)("%s is shown by the tests that its row names", async (id) => {
  const files = (await rows()).get(id) ?? [];
  expect(files.length).toBeGreaterThan(0);
  const inTitle = new RegExp(`\\(\\s*"[^"\\n]*\\b${id}\\b`);
  for (const file of files) expect(await readFile(join(ROOT, file), "utf8")).toMatch(inTitle);
});

test("no test names a requirement that does not exist", async () => {
  const files = (await readdir(join(ROOT, "test"), { recursive: true })).filter((name) => name.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((name) => readFile(join(ROOT, "test", name), "utf8")));
  const named = texts.flatMap((text) => [...text.matchAll(/\b(?:FR|SC)-\d+/g)].map(([id]) => id));
  expect(named.filter((id) => !IDS.includes(id ?? ""))).toEqual([]);
});

async function rows(): Promise<Map<string, string[]>> {
  const page = await readFile(join(ROOT, "docs/requirements.md"), "utf8");
  const found = page.matchAll(/^\| ((?:FR|SC)-\d{3}) +\|.*\| ([^|]+?) +\|$/gm);
  return new Map([...found].map(([, id = "", files = ""]) => [id, files.split(/[ ,]+/)]));
}

function numbers(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(3, "0")}`);
}
