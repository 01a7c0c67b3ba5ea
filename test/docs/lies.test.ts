import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface Run {
  name: string;
  class?: string;
  through?: string;
}

const ROOT = new URL("../../", import.meta.url);
const bench: { families: Record<string, Run[]> } = await import(new URL("bench/liars/families.mjs", ROOT).href);
const { honest = [], ...families } = bench.families;
const lies = Object.entries(families).flatMap(([family, runs]) => runs.map((run) => ({ family, ...run })));

test("there are at least 60 lies in ten families, 20 honest runs, and a handful of both goes through Claude Code", () => {
  const asked = "tests runner configuration environment processes timing records hidden judge intake".split(" ");
  expect(Object.keys(families)).toEqual(expect.arrayContaining(asked));
  expect(lies.length).toBeGreaterThanOrEqual(60);
  expect(honest.length).toBeGreaterThanOrEqual(20);
  expect(lies.filter(({ through }) => through === "claude").length).toBeGreaterThanOrEqual(5);
});

test("every run has a name of its own, and every lie a class", () => {
  const names = [...lies, ...honest].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(lies.filter((one) => one.class === undefined)).toEqual([]);
});

test.each(["docs/lies.md", "docs/ja/lies.md"])(
  "%s explains every class, below its family, and no other",
  async (path) => {
    const page = await readFile(new URL(path, ROOT), "utf8");
    const explained = page
      .split(/^### /m)
      .slice(1)
      .flatMap((part) => {
        const family = part.slice(0, part.indexOf("\n"));
        return [...part.matchAll(/^\| `([a-z-]+)`/gm)].map(([, one]) => `${family}: ${one}`);
      });
    expect(explained.sort()).toEqual([...new Set(lies.map((one) => `${one.family}: ${one.class}`))].sort());
  },
);

test.each(["docs/lies.md", "docs/ja/lies.md"])("the table of %s counts the lies that there are", async (path) => {
  const page = await readFile(new URL(path, ROOT), "utf8");
  const rows = [...page.matchAll(/^\| ([a-z]+) +\| +(\d+) \|/gm)].map(([, family, count]) => [family, Number(count)]);
  expect(rows).toEqual(Object.entries(families).map(([family, runs]) => [family, runs.length]));
});
