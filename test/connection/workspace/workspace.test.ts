import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import { git, repository, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** What a watch sees of something that happens. */
async function changes(project: string, happen: () => Promise<unknown>, limit = 1000): Promise<string[]> {
  const changed = await createWorkspace(project, { limit }).watch();
  await happen();
  return changed();
}

const FILES = { "a.txt": "a", "src/b é.ts": "b", "src/deep/日本 語.md": "c" };

describe.each([
  ["in a git repository", () => repository(FILES)],
  [
    "without git",
    async () => {
      const directory = await temporaryDirectory();
      await write(directory, FILES);
      return directory;
    },
  ],
])("%s", (_, make) => {
  test("new, changed and deleted files are seen, sorted, with their paths in the project", async () => {
    const project = await make();
    const seen = await changes(project, async () => {
      await write(project, { "z new.txt": "", "src/b é.ts": "bb" });
      await rm(join(project, "src/deep/日本 語.md"));
    });
    expect(seen).toEqual(["src/b é.ts", "src/deep/日本 語.md", "z new.txt"]);
  });

  test("nothing has changed when nothing happens or a file is only read", async () => {
    const project = await make();
    expect(await changes(project, () => readFile(join(project, "a.txt")))).toEqual([]);
  });

  test("a file of the same size with a new time stamp has changed", async () => {
    const project = await make();
    expect(await changes(project, () => write(project, { "a.txt": "x" }))).toEqual(["a.txt"]);
  });

  test("a renamed file counts as one deleted and one new file", async () => {
    const project = await make();
    const seen = await changes(project, () => rename(join(project, "a.txt"), join(project, "b.txt")));
    expect(seen).toEqual(["a.txt", "b.txt"]);
  });

  test("the records of endless8 and installed packages are never seen", async () => {
    const project = await make();
    const unseen = {
      ".e8/tasks/x/history.jsonl": "",
      "node_modules/p/index.js": "",
      "sub/node_modules/p/index.js": "",
    };
    expect(await changes(project, () => write(project, { ...unseen, "sub/.e8/task.json": "" }))).toEqual([]);
  });

  test("links are seen and not followed", async () => {
    const [project, outside] = [await make(), await temporaryDirectory()];
    await write(outside, { "secret.txt": "1" });
    await symlink(project, join(project, "loop"));
    await symlink("nowhere", join(project, "dangling"));
    const seen = await changes(project, async () => {
      await symlink(outside, join(project, "link"));
      await write(outside, { "secret.txt": "2" });
    });
    expect(seen).toEqual(["link"]);
  });

  test("two watches do not disturb each other, and one can be asked twice", async () => {
    const project = await make();
    const workspace = createWorkspace(project);
    const first = await workspace.watch();
    await write(project, { one: "1" });
    const second = await workspace.watch();
    await write(project, { two: "2" });
    expect(await first()).toEqual(["one", "two"]);
    expect(await second()).toEqual(["two"]);
    expect(await first()).toEqual(["one", "two"]);
  });

  test("a project with more files than the limit reports no change that did not happen", async () => {
    const project = await make();
    await write(
      project,
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`m/${String(n).padStart(2, "0")}`, ""])),
    );
    await sleep(20); // what is written in the instant of a watch may count as changed
    const nothing = await changes(project, async () => {}, 10);
    const early = await changes(project, () => write(project, { "a new one": "" }), 10);
    const gone = await changes(project, () => rm(join(project, "a.txt")), 10);
    expect([nothing, early, gone]).toEqual([[], ["a new one"], ["a.txt"]]);
  });

  test("a project that vanishes has lost its files, without an error", async () => {
    const project = await make();
    const seen = await changes(project, () => rm(project, { recursive: true }));
    expect(seen).toEqual(["a.txt", "src/b é.ts", "src/deep/日本 語.md"]);
  });
});

test("files that git tracks come first when a limit cuts the list", async () => {
  const project = await repository({ "y.txt": "y", "z.txt": "z" });
  await write(project, { a: "", b: "", c: "" });
  const happen = async () => {
    await rm(join(project, "a"));
    await rm(join(project, "z.txt"));
  };
  expect(await changes(project, happen, 2)).toEqual(["z.txt"]);
});

test("in a repository, ignored files are not seen", async () => {
  const project = await repository({ ".gitignore": "dist\n*.log\n" });
  const files = { "dist/x.js": "", "a.log": "", "kept.txt": "" };
  expect(await changes(project, () => write(project, files))).toEqual(["kept.txt"]);
});

test("a file that becomes ignored has not changed", async () => {
  const project = await repository();
  await write(project, { "build.out": "1" });
  expect(await changes(project, () => write(project, { ".gitignore": "*.out\n" }))).toEqual([".gitignore"]);
});

test("committing what was there already changes nothing", async () => {
  const project = await repository();
  await write(project, { "new.txt": "1" });
  const commit = async () => {
    await git(project, "add", "-A");
    await git(project, "commit", "-q", "-m", "second");
  };
  expect(await changes(project, commit)).toEqual([]);
});

test("a project inside a repository has its own paths, and sees what changes outside it", async () => {
  const root = await repository({ "packages/my app/a.txt": "a", "packages/other/b.txt": "b" });
  const project = join(root, "packages", "my app");
  const happen = () =>
    write(root, { "packages/my app/sub/new.txt": "", "packages/other/b.txt": "changed", "top.txt": "" });
  const outside = [join(root, "packages/other/b.txt"), join(root, "top.txt")];
  expect(await changes(project, happen)).toEqual(["sub/new.txt", ...outside]);
});

test("files of the project come first when a limit cuts the list of its repository", async () => {
  const root = await repository({ "a.txt": "a", "b.txt": "b", "z/c.txt": "c" });
  expect(await changes(join(root, "z"), () => rm(join(root, "z/c.txt")), 2)).toEqual(["c.txt"]);
});

test("a project that its repository ignores is watched, too", async () => {
  const root = await repository({ ".gitignore": "scratch/\n" });
  await write(root, { "scratch/demo/a.txt": "a" });
  const project = join(root, "scratch", "demo");
  expect(await changes(project, () => write(project, { "b.txt": "b", "node_modules/x": "" }))).toEqual(["b.txt"]);
});

test("files of a repository inside the project are seen, by that repository's own rules", async () => {
  const project = await repository({ "a.txt": "a" });
  await mkdir(join(project, "inner repo"));
  await git(join(project, "inner repo"), "init", "-q");
  await write(project, { "inner repo/.gitignore": "*.log\n", "inner repo/x/y.txt": "1" });
  const happen = () =>
    write(project, { "inner repo/x/y.txt": "22", "inner repo/z.txt": "", "inner repo/noise.log": "" });
  expect(await changes(project, happen)).toEqual(["inner repo/x/y.txt", "inner repo/z.txt"]);
});

test("the variables of a git hook do not point the watch at another repository", async () => {
  const [project, other] = [await repository({ "a.txt": "a" }), await repository({ "other.txt": "o" })];
  setEnvironment("GIT_DIR", join(other, ".git"));
  setEnvironment("GIT_INDEX_FILE", join(other, ".git", "index"));
  expect(await changes(project, () => write(project, { "b.txt": "b" }))).toEqual(["b.txt"]);
});

test("a program that the repository configures for git is not run", async () => {
  const project = await repository({ "a.txt": "a" });
  const [program, mark] = [join(project, ".git", "monitor"), join(project, ".git", "ran")];
  await writeFile(program, `#!/bin/sh\n: > '${mark}'\n`);
  await chmod(program, 0o755);
  await git(project, "config", "core.fsmonitor", `'${program}'`);
  await changes(project, async () => {});
  await expect(stat(mark)).rejects.toMatchObject({ code: "ENOENT" });
});

test("without git the files are found by walking the directories", async () => {
  const project = await repository({ ".gitignore": "*.log\n" });
  setEnvironment("PATH", await temporaryDirectory());
  expect(await changes(project, () => write(project, { "a.log": "", "b.txt": "" }))).toEqual(["a.log", "b.txt"]);
});

test("git is asked only where there can be a repository, also one that the worker makes", async () => {
  const [project, programs] = [await temporaryDirectory(), await temporaryDirectory()];
  await write(programs, { git: `#!/bin/sh\n: > "$0.asked"\nexec env PATH='${process.env.PATH}' git "$@"\n` });
  await chmod(join(programs, "git"), 0o755);
  setEnvironment("PATH", `${programs}:${process.env.PATH}`);
  const asked = () => existsSync(join(programs, "git.asked"));

  expect(await changes(project, () => write(project, { "a.txt": "a" }))).toEqual(["a.txt"]);
  expect(asked()).toBe(false);

  await git(project, "init", "-q");
  await rm(join(programs, "git.asked"));
  expect(await changes(project, () => write(project, { ".gitignore": "*.log\n", "a.log": "" }))).toEqual([
    ".gitignore",
  ]);
  expect(asked()).toBe(true);
});

test("Ctrl-Z at the terminal does not reach git, for which we would wait forever", async () => {
  const [project, programs] = [await repository(), await temporaryDirectory()];
  await write(programs, { git: '#!/bin/sh\nps -o pgid= -p $$ > "$0.$$"\n' });
  await chmod(join(programs, "git"), 0o755);
  setEnvironment("PATH", `${programs}:${process.env.PATH}`);

  await createWorkspace(project).watch();

  const notes = (await readdir(programs)).filter((name) => name !== "git");
  expect(notes).not.toEqual([]);
  for (const note of notes)
    expect(`git.${(await readFile(join(programs, note), "utf8")).trim()}`, "a group of its own").toBe(note);
});

test("a change that keeps the size and sets the old time stamp again is seen", async () => {
  const project = await repository({ "a.txt": "a" });
  const { atime, mtime } = await stat(join(project, "a.txt"));
  await utimes(join(project, "a.txt"), atime, mtime);
  const happen = async () => {
    await write(project, { "a.txt": "b" });
    await utimes(join(project, "a.txt"), atime, mtime);
  };
  expect(await changes(project, happen)).toEqual(["a.txt"]);
});

function setEnvironment(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}
