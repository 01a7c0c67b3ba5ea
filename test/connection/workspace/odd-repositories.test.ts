import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, realpath, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { kept, made, open, ownRooms, textAt, worked } from "../../support/kept-work.ts";
import { git, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

beforeEach(ownRooms);

/** Another repository, of which clones can be made. */
async function origin(): Promise<string> {
  const path = await made({ "a.txt": "1\n", "deep/b.txt": "1\n" });
  await write(path, { "a.txt": "2\n" });
  await git(path, "commit", "-qam", "second");
  await git(path, "config", "uploadpack.allowFilter", "true");
  return path;
}

describe("a full proof can be had", () => {
  test("in a subdirectory of a repository, with the files above it", async () => {
    const top = await made({ "packages/app/a.txt": "1\n", "shared.txt": "1\n" });
    const app = join(top, "packages/app");
    const { changed, place } = await worked(app, () => write(top, { "packages/app/a.txt": "2\n" }));
    expect(changed).toEqual(["a.txt"]);
    expect(relative(place.root, place.directory)).toBe("packages/app");
    expect(await textAt(place.root, "shared.txt")).toBe("1\n");
  });

  test("in a worktree", async () => {
    const main = await made();
    const tree = join(await realpath(await temporaryDirectory()), "tree");
    await git(main, "worktree", "add", "-q", "-b", "side", tree);
    const { changed, place } = await worked(tree, () => write(tree, { "a.txt": "2\n" }));
    expect(changed).toEqual(["a.txt"]);
    expect(await textAt(place.root, "a.txt")).toBe("2\n");
    expect((await git(place.root, "branch", "--show-current")).trim()).toBe("side");
    expect(await textAt(main, "a.txt")).toBe("1\n");
  });

  test("with a detached HEAD", async () => {
    const project = await made();
    await git(project, "checkout", "-q", "--detach");
    const { place } = await worked(project, () => write(project, { "a.txt": "2\n" }));
    expect((await git(place.root, "status", "--porcelain")).trim()).toBe("M a.txt");
  });

  test("before the first commit, also with many files", async () => {
    const project = await realpath(await temporaryDirectory());
    await git(project, "init", "-q");
    await write(project, Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`many/${n}.txt`, "x"])));
    const { changed, place } = await worked(project, () => write(project, { "many/7.txt": "2" }));
    expect(changed).toEqual(["many/7.txt"]);
    expect(await readdir(join(place.root, "many"))).toHaveLength(3000);
  });

  test("in a shallow clone", async () => {
    const project = join(await realpath(await temporaryDirectory()), "clone");
    await git("/", "clone", "-q", "--depth", "1", `file://${await origin()}`, project);
    const { place } = await worked(project, () => write(project, { "a.txt": "3\n" }));
    expect((await git(place.root, "log", "--oneline")).trim().split("\n")).toHaveLength(1);
  });

  test("in a partial clone with a sparse checkout", async () => {
    const project = join(await realpath(await temporaryDirectory()), "clone");
    await git("/", "clone", "-q", "--filter=blob:none", "--sparse", `file://${await origin()}`, project);
    const { changed, place } = await worked(project, () => write(project, { "a.txt": "3\n" }));
    expect(changed).toEqual(["a.txt"]);
    expect(existsSync(join(place.root, "deep/b.txt"))).toBe(false); // as in the workspace
  });

  test("with submodules: their uncommitted changes, and those of submodules in them, are part of the work", async () => {
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "protocol.file.allow");
    vi.stubEnv("GIT_CONFIG_VALUE_0", "always");
    const [outer, inner] = [await made({ "o.txt": "1\n" }), await made({ "i.txt": "1\n" })];
    await git(outer, "submodule", "add", "-q", inner, "inner");
    await git(outer, "commit", "-qam", "inner");
    const project = await made({ "a.txt": "1\n", "b.txt": "1\n" });
    await git(project, "submodule", "add", "-q", outer, "lib");
    await git(project, "submodule", "update", "-q", "--init", "--recursive");
    await git(project, "commit", "-qam", "lib");
    const state = async () => [
      await git(project, "status", "--porcelain"),
      await git(join(project, "lib"), "for-each-ref"),
      await readFile(join(project, ".git/index"), "base64"),
    ];
    const before = await state();

    const { changed, place } = await worked(project, async () => {
      await write(project, { "lib/o.txt": "2\n", "lib/new.txt": "1\n", "lib/inner/i.txt": "2\n" });
      await git(join(project, "lib"), "commit", "-qam", "in the submodule");
    });

    expect(changed).toEqual(["lib/inner/i.txt", "lib/new.txt", "lib/o.txt"]);
    expect(await textAt(place.root, "lib/inner/i.txt")).toBe("2\n");
    expect(await textAt(place.root, "lib/o.txt")).toBe("2\n");
    expect((await state())[2]).toBe(before[2]);
  });

  test("with line ends and attributes of its own", async () => {
    const project = await made({
      ".gitattributes": "*.bat text eol=crlf\n*.sh text eol=lf\nsecret.txt export-ignore\n*.id ident\n",
      "run.bat": "echo\r\n",
      "secret.txt": "x\n",
      "x.id": "$Id$\n",
    });
    await git(project, "config", "core.autocrlf", "true");
    const { place } = await worked(project, () => write(project, { "new.bat": "dir\r\n", "run.sh": "ls\n" }));
    for (const [name, text] of Object.entries({ "run.bat": "echo\r\n", "new.bat": "dir\r\n", "run.sh": "ls\n" }))
      expect(await textAt(place.root, name)).toBe(text);
    expect(existsSync(join(place.root, "secret.txt"))).toBe(true);
  });

  test("with names that are not UTF-8, have line breaks, or differ only in case; and with links", async () => {
    const project = await made({ "a.txt": "1\n", "Same.txt": "1\n", "same.txt": "2\n" });
    const odd = Buffer.concat([Buffer.from(`${project}/`), Buffer.from([0x66, 0xff, 0xfe])]);
    const { changed, place } = await worked(project, async () => {
      await writeFile(odd, "bytes\n");
      await write(project, { "line\nbreak.txt": "x\n", "same.txt": "3\n", " space ": "x\n", "-dash": "x\n" });
      await symlink("nowhere", join(project, "dangling"));
    });
    expect(changed).toHaveLength(6);
    const there = await readdir(place.root, { encoding: "buffer" });
    expect(there.some((name) => name.equals(Buffer.from([0x66, 0xff, 0xfe])))).toBe(true);
    expect(await textAt(place.root, "line\nbreak.txt")).toBe("x\n");
    expect([await textAt(place.root, "Same.txt"), await textAt(place.root, "same.txt")]).toEqual(["1\n", "3\n"]);
  });

  test("with SHA-256 ids", async () => {
    const project = await realpath(await temporaryDirectory());
    await git(project, "init", "-q", "--object-format=sha256");
    await write(project, { "a.txt": "1\n" });
    await git(project, "add", "-A");
    await git(project, "commit", "-qm", "start");
    const { changed, place } = await worked(project, () => write(project, { "a.txt": "2\n" }));
    expect(changed).toEqual(["a.txt"]);
    expect((await git(place.root, "rev-parse", "HEAD")).trim()).toHaveLength(64);
  });

  test("where git refuses the repository because of its owner: by a repository of ours", async () => {
    const project = await made();
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    const { changed, place } = await worked(project, () => write(project, { "a.txt": "2\n" }));
    expect(changed).toEqual(["a.txt"]);
    expect(await textAt(place.root, "a.txt")).toBe("2\n");
    expect(existsSync(join(project, ".e8/repository"))).toBe(true);
  });

  test("where the repository lies elsewhere and names its files by core.worktree", async () => {
    const project = await made();
    const store = join(await realpath(await temporaryDirectory()), "store");
    await rename(join(project, ".git"), store);
    await writeFile(join(project, ".git"), `gitdir: ${store}\n`);
    await git(project, "config", "core.worktree", project);
    const { place } = await worked(project, () => write(project, { "a.txt": "2\n" }));
    expect(await textAt(place.root, "a.txt")).toBe("2\n");
  });

  test("in the middle of a merge, with a split index, and for files that the index calls unchanged", async () => {
    const project = await made({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
    await git(project, "checkout", "-qb", "other");
    await write(project, { "a.txt": "other\n" });
    await git(project, "commit", "-qam", "other");
    await git(project, "checkout", "-q", "-");
    await write(project, { "a.txt": "mine\n" });
    await git(project, "commit", "-qam", "mine");
    await git(project, "merge", "-q", "other").catch(() => {});
    await git(project, "update-index", "--split-index");
    await git(project, "update-index", "--assume-unchanged", "b.txt");
    await git(project, "update-index", "--skip-worktree", "c.txt");
    const { changed, place } = await worked(project, () =>
      write(project, { "a.txt": "solved\n", "b.txt": "2\n", "c.txt": "2\n" }),
    );
    expect(changed).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(await textAt(place.root, "a.txt")).toBe("solved\n");
  });

  test("with 50,000 files", { timeout: 240_000 }, async () => {
    const project = await made();
    // All of one content: what counts is how many there are, and git writes one object instead of 50,000.
    execFileSync("sh", ["-c", "mkdir many && cd many && seq -f f%05g 50000 | xargs touch"], { cwd: project });
    await git(project, "add", "-A");
    await git(project, "commit", "-qm", "many");
    const { changed, place } = await worked(project, () => write(project, { "many/f00001": "changed\n" }));
    expect(changed).toEqual(["many/f00001"]);
    expect(await readdir(join(place.root, "many"))).toHaveLength(50_000);
  });
});

test("a repository that cannot be written is named", async () => {
  const project = await made();
  await writeFile(join(project, ".git/refs/e8"), "no directory");
  expect(await (await open(project)).snapshot("1")).toMatchObject({
    problem: { code: "snapshot_failed", params: { problem: expect.stringContaining("refs/e8") } },
  });
  const objects = join(project, ".git/objects");
  await rm(join(project, ".git/refs/e8"));
  if (process.getuid?.() === 0) return; // root may write everywhere
  await chmod(objects, 0o555);
  onTestFinished(() => chmod(objects, 0o755));
  await write(project, { "new.txt": "1\n" });
  expect(await (await open(project)).snapshot("2")).toMatchObject({ problem: { code: "snapshot_failed" } });
});

test.skipIf(process.getuid?.() === 0)(
  "files that may not be read are named apart from those that are too large",
  async () => {
    const project = await made();
    await write(project, { secret: "x\n" });
    await chmod(join(project, "secret"), 0o000);
    const kept = await (await open(project)).snapshot("start");
    expect(kept).toMatchObject({ unreadable: ["secret"] });
    expect(kept).not.toHaveProperty("left_out");
  },
);

test("files that are too large to be kept are named, and are in the clean checkout as long as they are unchanged", async () => {
  const project = await made();
  await mkdir(join(project, "data"));
  await writeFile(join(project, "data/large.bin"), "");
  await truncate(join(project, "data/large.bin"), 65 * 1024 * 1024);
  const workspace = await open(project);
  expect(await workspace.snapshot("start")).toMatchObject({ left_out: ["data/large.bin"] });
  await workspace.keepIgnored();
  const place = await workspace.checkout(await kept(workspace, "1"), {});
  if ("problem" in place) throw new Error(place.problem.code);
  expect((await readFile(join(place.root, "data/large.bin"))).length).toBe(65 * 1024 * 1024);
  await place.release();
  await truncate(join(project, "data/large.bin"), 64 * 1024 * 1024);
  expect(await workspace.ignoredChanges()).toEqual([{ path: "data/large.bin", status: "modified" }]);
});
