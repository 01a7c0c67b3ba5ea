import { readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";

/** Two iterations: the first writes one, the second two. */
async function twoIterations() {
  const box = await quickSandbox();
  await git(box.project, "init", "-q");
  await write(box.project, { "a.txt": "start\n" });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const worker = "if grep -q one a.txt; then echo two > a.txt; else echo one > a.txt; fi";
  const ended = await box.e8(["run", "x", "--agent-command", worker, "--check", "grep two a.txt", "--json"]);
  expect(ended.code).toBe(0);
  return box;
}

test("diff shows what the task, one iteration or several changed", async () => {
  const box = await twoIterations();

  expect((await box.e8(["diff"])).stdout).toMatch(/-start\n\+two/);
  expect((await box.e8(["diff", "2"])).stdout).toMatch(/-one\n\+two/);
  expect((await box.e8(["diff", "0..1"])).stdout).toMatch(/-start\n\+one/);
  expect((await box.e8(["diff", "latest", "--stat"])).stdout).toContain("a.txt  +1 -1");
  const refused = await box.e8(["diff", "0..7"]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("no snapshot of iteration 7");
});

test("show tells how much each iteration changed, also as JSON", async () => {
  const box = await twoIterations();

  expect((await box.e8(["show"])).stdout.match(/\+1 −1 in 1 file/g)).toHaveLength(2);
  expect((await box.e8(["show", "--lang", "ja"])).stdout).toContain("+1 −1（1 ファイル）");
  const { changes_by_iteration } = JSON.parse((await box.e8(["show", "--json"])).stdout);
  expect(changes_by_iteration).toEqual({
    1: { files: 1, added: 1, removed: 1 },
    2: { files: 1, added: 1, removed: 1 },
  });
  await box.e8(["clean"]);
  await git(box.project, "gc", "-q", "--prune=now");
  expect(JSON.parse((await box.e8(["show", "--json"])).stdout).changes_by_iteration).toEqual({});
});

test("rollback goes back to an iteration, keeps what was there, and says how to return to it", async () => {
  const box = await twoIterations();
  await write(box.project, { "mine.txt": "not committed\n" });

  const back = await box.e8(["rollback", "--to", "1"]);

  expect(await readFile(join(box.project, "a.txt"), "utf8")).toBe("one\n");
  const [, id = "", commit = ""] = /e8 rollback (\S+) --to (\w+)/.exec(back.stdout) ?? [];
  await box.e8(["rollback", id, "--to", commit]);
  expect(await readFile(join(box.project, "a.txt"), "utf8")).toBe("two\n");
  expect(await readFile(join(box.project, "mine.txt"), "utf8")).toBe("not committed\n");
});

test("clean removes the snapshots of ended tasks, and rm those of its task", async () => {
  const box = await twoIterations();
  const refs = () => git(box.project, "for-each-ref", "refs/e8");
  expect(await refs()).not.toBe("");

  expect((await box.e8(["clean"])).stdout).toContain("1 task");
  expect(await refs()).toBe("");

  const again = await twoIterations();
  await again.e8(["rm", "latest", "--yes"]);
  expect(await git(again.project, "for-each-ref", "refs/e8")).toBe("");
});

test("clean leaves the way back from a rollback, and rm removes it with the task", async () => {
  const box = await twoIterations();
  await write(box.project, { "mine.txt": "not committed\n" });
  const back = await box.e8(["rollback", "--to", "0"]);
  const [, id = "", commit = ""] = /e8 rollback (\S+) --to (\w+)/.exec(back.stdout) ?? [];

  expect((await box.e8(["clean"])).stdout).toContain("Kept: 1 snapshot of the files from before a rollback");
  await git(box.project, "gc", "-q", "--prune=now");

  expect((await box.e8(["rollback", id, "--to", commit])).code).toBe(0);
  expect(await readFile(join(box.project, "mine.txt"), "utf8")).toBe("not committed\n");
  await box.e8(["rm", id, "--yes"]);
  expect(await git(box.project, "for-each-ref", "refs/e8")).toBe("");
});

test("rollback and fork are refused where they would lose a file that git has come to ignore", async () => {
  const box = await quickSandbox();
  await git(box.project, "init", "-q");
  const worker =
    "if test -e local.json; then rm local.json; echo local.json > .gitignore; echo two > a.txt; else echo '{}' > local.json; fi";
  const ended = await box.e8(["run", "x", "--agent-command", worker, "--check", "grep two a.txt"]);
  expect(ended.code, ended.stderr).toBe(0);
  await write(box.project, { "local.json": "precious\n" });

  const refs = () => git(box.project, "for-each-ref", "refs/e8");
  const before = await refs();
  for (const words of [
    ["rollback", "latest", "--to", "1"],
    ["fork", "latest", "--from", "1"],
  ]) {
    const refused = await box.e8(words);
    expect(refused.code, refused.stdout).toBe(2);
    expect(refused.stderr).toContain("1 file would be lost (local.json)");
    expect(await readFile(join(box.project, "local.json"), "utf8")).toBe("precious\n");
    expect(await readFile(join(box.project, "a.txt"), "utf8")).toBe("two\n");
    expect(await box.tasks()).toHaveLength(1);
    expect(await refs()).toBe(before);
  }

  await rm(join(box.project, "local.json"));
  expect((await box.e8(["rollback", "--to", "1"])).code).toBe(0);
  expect(await readFile(join(box.project, "local.json"), "utf8")).toBe("{}\n");
});

test("rollback and fork name the files that were too large to be kept and could not be brought back", async () => {
  const box = await quickSandbox();
  await git(box.project, "init", "-q");
  await write(box.project, { "model.bin": "" });
  await truncate(join(box.project, "model.bin"), 65 * 1024 * 1024);
  const worker = "echo small > model.bin; echo done > a.txt";
  expect((await box.e8(["run", "x", "--agent-command", worker, "--check", "grep done a.txt"])).code).toBe(0);
  const [id = ""] = await box.tasks();

  const back = await box.e8(["rollback", id, "--to", "0"]);
  expect(back.stdout).toContain("1 file is not in snapshots");
  expect(back.stdout).toContain("stays as it is: model.bin");
  expect(await readFile(join(box.project, "model.bin"), "utf8")).toBe("small\n");
  expect(JSON.parse((await box.e8(["rollback", id, "--to", "1", "--json"])).stdout).left_out).toEqual(["model.bin"]);
  const forked = await box.e8(["fork", id, "--from", "0", "--lang", "ja"]);
  expect(forked.code, forked.stderr).toBe(0);
  expect(forked.stderr).toContain("今のまま残っています（model.bin）");
});
