import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { canMount, mounted } from "../support/mounts.ts";
import { git, write } from "../support/repository.ts";
import { type Call, resultOf, type Sandbox } from "../support/sandbox.ts";
import { usersState } from "../support/users-repository.ts";

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
const LFS = ["clean -- %f", "smudge -- %f", "filter-process"];
const RUN = ["run", "x", "--agent-command", "echo done > a.txt", "--check", "grep -q done a.txt", "-n", "1", "--json"];

async function project(files: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await git(box.project, "init", "-q", "-b", "main");
  await write(box.project, { "a.txt": "start\n", ...files });
  return box;
}

async function commit({ project }: Sandbox): Promise<void> {
  await git(project, "add", "-A");
  await git(project, "commit", "-q", "-m", "start");
}

/** A filter in the user's settings whose programs are not there. */
async function withFilter(box: Sandbox, name: string, [clean, smudge, process]: readonly string[]): Promise<void> {
  const lines = [
    `clean = ${clean}`,
    `smudge = ${smudge}`,
    ...(process ? [`process = ${process}`] : []),
    "required = true",
  ];
  await writeFile(join(box.home, ".gitconfig"), `[filter "${name}"]\n\t${lines.join("\n\t")}\n`);
}

async function expectProved(box: Sandbox, call: Call = {}): Promise<void> {
  const before = await usersState(box);
  const ended = await box.e8(RUN, call);
  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({ method: "clean-room", weaker: [] });
  expect(await usersState(box)).toEqual(before);
}

/**
 * Without a clean checkout the run completes in place and says why in one sentence. Where nothing but a clean proof is asked for, no worker
 * can help, so the run ends at once, as an error with the same cause.
 */
async function expectInPlace(box: Sandbox, why: RegExp, call: Call = {}): Promise<void> {
  const before = await usersState(box);
  const ended = await box.e8(RUN, call);
  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({ method: "in-place", weaker: [{ code: "room_missing" }] });
  const sentences = (await box.e8(["show", "--proof"])).stdout
    .split("\n")
    .filter((line) => /no clean checkout/.test(line));
  expect(sentences).toEqual([expect.stringMatching(why)]);
  await write(box.project, { "a.txt": "start\n" });
  const refused = await box.e8([...RUN, "--proof", "clean", "-n", "3"], call);
  expect(refused.code, refused.stderr).toBe(2);
  const result = resultOf(refused);
  expect(result).toMatchObject({ status: "error", error_code: "clean_room_missing", proof: { method: "none" } });
  expect(result.iterations_used).toBeLessThanOrEqual(1);
  expect(`no clean checkout: ${result.error_message}`).toMatch(why);
  expect(await usersState(box)).toEqual(before);
}

describe("a full proof is had", () => {
  test("with a detached HEAD", async () => {
    const box = await project();
    await commit(box);
    await git(box.project, "checkout", "-q", "--detach");
    await expectProved(box);
  });

  test("before the first commit", async () => {
    const box = await project();
    await expectProved(box);
    expect((await box.e8(["diff"])).stdout).toMatch(/-start\n\+done/);
  });

  test("in a shallow clone", async () => {
    const box = await project();
    await commit(box);
    await git(box.project, "commit", "-q", "--allow-empty", "-m", "second");
    const clone = join(box.home, "clone");
    await git("/", "clone", "-q", "--depth", "1", `file://${box.project}`, clone);
    await expectProved({ ...box, project: clone }, { cwd: clone });
  });

  test("with pointers of Git LFS where it was never set up", async () => {
    const box = await project({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "x.bin": POINTER });
    await commit(box);
    await expectProved(box, { env: { GIT_CONFIG_NOSYSTEM: "1" } }); // a machine may have set it up for all its users
  });
});

describe("a proof in place, which says why, is had", () => {
  test("with pointers of Git LFS where it is set up and not installed", async () => {
    const box = await project({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "x.bin": POINTER });
    await commit(box);
    await withFilter(
      box,
      "lfs",
      LFS.map((words) => `git-lfs-is-not-installed ${words}`),
    );
    await expectInPlace(
      box,
      /(?:it could not be made|git could not keep the files as a commit) \(.*git-lfs-is-not-installed.*\)/,
    );
  });

  test("with a filter that cannot bring the content back", async () => {
    const box = await project({ ".gitattributes": "*.bin filter=store\n", "x.bin": "x\n" });
    await commit(box);
    await withFilter(box, "store", ["cat", "store-is-not-installed"]);
    await expectInPlace(
      box,
      /it could not be made \(.*store-is-not-installed.*x\.bin: smudge filter '?store'? failed\)/,
    );
  });

  test("with a filter that cannot store the content", async () => {
    const box = await project({ ".gitattributes": "*.bin filter=store\n", "x.bin": "x\n" });
    await commit(box);
    await withFilter(box, "store", ["store-is-not-installed", "cat"]);
    await write(box.project, { "x.bin": "changed\n" });
    await expectInPlace(box, /git could not keep the files as a commit \(.*x\.bin: clean filter 'store' failed\)/);
  });

  test.skipIf(!canMount())("in a repository that cannot be written", async () => {
    const box = await project();
    await commit(box);
    const through = mounted('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', join(box.project, ".git"));
    await expectInPlace(box, /git could not keep the files as a commit \(.*[Rr]ead-only file system.*\)/, { through });
  });
});

test.skipIf(!canMount())("a project that cannot be written is refused with one sentence", async () => {
  const box = await project();
  await commit(box);
  const through = mounted('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', box.project);

  const ended = await box.e8(RUN, { through });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^error: No permission to write .*\.e8\.$/m);
});
