import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { digestsOf } from "../../../src/connection/workspace/digests.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const FILES = {
  "test/a.test.ts": "a",
  "test/deep/日本 語.ts": "b",
  "test/.hidden": "c",
  "src/a.ts": "d",
  "test/node_modules/x/index.js": "e",
  "node_modules/.bin/vitest": "f",
  ".e8/tasks/x/task.json": "g",
  ".git/config": "h",
};

async function project(): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

describe("which files", () => {
  test.each([
    ["a directory is all that is in it", ["test"], ["test/.hidden", "test/a.test.ts", "test/deep/日本 語.ts"]],
    ["a pattern", ["test/*.ts"], ["test/a.test.ts"]],
    ["several", ["test/*.ts", "src/**"], ["src/a.ts", "test/a.test.ts"]],
    ["without some of them", ["test/**", "!test/deep/**"], ["test/.hidden", "test/a.test.ts"]],
    ["what is installed only where it is named", ["node_modules/.bin"], ["node_modules/.bin/vitest"]],
    [
      "everything but our records, git's and what is installed",
      ["**"],
      ["src/a.ts", "test/.hidden", "test/a.test.ts", "test/deep/日本 語.ts"],
    ],
    ["none", ["tset"], []],
  ])("%s", async (_name, patterns, expected) => {
    expect(Object.keys(await digestsOf(await project(), patterns))).toEqual(expected);
  });

  test("also files that git ignores", async () => {
    const directory = await temporaryDirectory();
    await promisify(execFile)("git", ["init", "-q"], { cwd: directory });
    await writeFile(join(directory, ".gitignore"), "secret.sh\n");
    await writeFile(join(directory, "secret.sh"), "");
    expect(Object.keys(await digestsOf(directory, ["*.sh"]))).toEqual(["secret.sh"]);
  });

  test("too many files are refused", async () => {
    await expect(digestsOf(await project(), ["test"], 2)).rejects.toMatchObject({
      code: "files_too_many",
      details: { files: "test", count: 3, limit: 2 },
    });
  });
});

describe("a file is another one", () => {
  const changes: [string, (file: string) => Promise<unknown>][] = [
    ["when its content is, at the same length", (file) => writeFile(file, "A")],
    ["when it can be executed", (file) => chmod(file, 0o755)],
    [
      "when a link to the same content stands for it",
      async (file) => {
        await rename(file, `${file}.real`);
        await symlink(`${file}.real`, file);
      },
    ],
    [
      "when a pipe stands for it, which nobody writes to",
      async (file) => {
        await rm(file);
        await promisify(execFile)("mkfifo", [file]);
      },
    ],
  ];

  test.each(changes)("%s", async (_name, change) => {
    const directory = await project();
    const file = join(directory, "test/a.test.ts");
    const before = await digestsOf(directory, ["test/a.test.ts"]);
    await change(file);
    expect(await digestsOf(directory, ["test/a.test.ts"])).not.toEqual(before);
  });

  test("and the same one when it is written again with the same content", async () => {
    const directory = await project();
    const file = join(directory, "test/a.test.ts");
    const before = await digestsOf(directory, ["test"]);
    await writeFile(file, await readFile(file));
    expect(await digestsOf(directory, ["test"])).toEqual(before);
  });

  test("however large", async () => {
    const directory = await temporaryDirectory();
    const [one, other] = ["y", "z"].map((last) => Buffer.concat([Buffer.alloc(3_000_000, "x"), Buffer.from(last)]));
    await writeFile(join(directory, "a"), one ?? "");
    await writeFile(join(directory, "b"), other ?? "");
    await writeFile(join(directory, "c"), one ?? "");
    const { a, b, c } = await digestsOf(directory, ["*"]);
    expect([a === b, a === c]).toEqual([false, true]);
  });
});
