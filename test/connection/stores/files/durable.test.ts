import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  flushFile,
  makeFile,
  replaceFile,
  replaceUnflushed,
  sweepDrafts,
} from "../../../../src/connection/stores/files/durable.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const replacers = { replaceFile, replaceUnflushed };

test.each(Object.entries(replacers))(
  "%s replaces a text as a whole and leaves nothing beside it",
  async (_, replace) => {
    const directory = await temporaryDirectory();
    const path = join(directory, "text");
    await replace(path, "a long first text");
    await replace(path, "短い");
    expect(await readFile(path, "utf8")).toBe("短い");
    expect(await readdir(directory)).toEqual(["text"]);
  },
);

test.each(Object.entries(replacers))(
  "%s is kept from it by nothing that stands in the draft's place",
  async (_, replace) => {
    const directory = await temporaryDirectory();
    const [path, draft] = [join(directory, "text"), join(directory, "text.tmp")];
    await writeFile(join(directory, "other"), "untouched");
    const obstacles = [
      () => writeFile(draft, "left by a killed run"),
      () => mkdir(join(draft, "deep"), { recursive: true }),
      () => symlink("other", draft),
      () => void execFileSync("sh", ["-c", 'mkfifo "$0"', draft]),
    ];
    for (const [index, put] of obstacles.entries()) {
      await put();
      await replace(path, `text ${index}`);
      expect(await readFile(path, "utf8")).toBe(`text ${index}`);
    }
    expect(await readFile(join(directory, "other"), "utf8")).toBe("untouched");
    expect(await readdir(directory)).toEqual(["other", "text"]);
  },
);

test.each(Object.entries(replacers))("%s that fails names the file and leaves no draft", async (_, replace) => {
  const directory = await temporaryDirectory();
  const path = join(directory, "text");
  await mkdir(path);
  await expect(replace(path, "text")).rejects.toMatchObject({ details: { path } });
  expect(await readdir(directory)).toEqual(["text"]);
});

test("a file that is gone before it has reached the disk is an error that names it", async () => {
  const path = join(await temporaryDirectory(), "output.md");
  await writeFile(path, "text");
  await flushFile(path);
  await expect(flushFile(`${path}.gone`)).rejects.toMatchObject({
    code: "write_failed",
    details: { path: `${path}.gone` },
  });
});

test.each(Object.entries(replacers))("%s writes its draft again where somebody sweeps it away", async (_, replace) => {
  const directory = await temporaryDirectory();
  const path = join(directory, "text");
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([replace(path, `text ${round}`), sweepDrafts(directory)]);
    expect(await readFile(path, "utf8")).toBe(`text ${round}`);
  }
  expect(await readdir(directory)).toEqual(["text"]);
});

test("a sweep removes drafts, whatever they are, and only those of our files", async () => {
  const directory = await temporaryDirectory();
  for (const name of ["1.md", "1.md.tmp", "mine.txt.tmp"]) await writeFile(join(directory, name), "text");
  await mkdir(join(directory, "2.md.tmp", "deep"), { recursive: true });

  await sweepDrafts(directory, (name) => name.endsWith(".md"));

  expect(await readdir(directory)).toEqual(["1.md", "mine.txt.tmp"]);
  await sweepDrafts(directory);
  expect(await readdir(directory)).toEqual(["1.md"]);
  await sweepDrafts(join(directory, "missing"));
});

test("a file is made as a whole, and never in the place of another one", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "text");
  expect(await makeFile(path, "first")).toBe(true);
  expect(await makeFile(path, "second")).toBe(false);
  expect(await readFile(path, "utf8")).toBe("first");
  expect(await readdir(directory)).toEqual(["text"]);
  await expect(makeFile(join(directory, "missing", "text"), "x")).rejects.toMatchObject({ code: "write_failed" });
});
