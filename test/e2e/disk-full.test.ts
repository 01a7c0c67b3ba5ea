import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { canMount, mounted } from "../support/mounts.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { usersState } from "../support/users-repository.ts";

const LARGE = randomBytes(1_500_000).toString("hex");
const FILL = "head -c 4000000 /dev/zero";

async function project(files: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, { "a.txt": "start\n", ".gitignore": "ignored/\nnode_modules/\n", ...files });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  await write(box.home, { ".cache/other-program": "" });
  return box;
}

/** Runs where the directory of clean checkouts is on a file system of 2 MB. */
function run(box: Sandbox, flags: readonly string[] = [], { filled = false } = {}) {
  const fill = filled ? `; ${FILL} > "$1/filled" 2> "$1/said"; true` : "";
  const through = mounted(`mount -t tmpfs -o size=2m tmpfs "$1"${fill}`, join(box.home, ".cache"));
  const worker = ["--agent-command", "echo done > a.txt", "--check", "grep -q done a.txt"];
  return box.e8(["run", "x", ...worker, "-n", "1", "--json", ...flags], { through });
}

describe.skipIf(!canMount())("a disk without space for the clean checkout", () => {
  test.each([
    { what: "the project's files", files: { "large.txt": LARGE } },
    { what: "files that git ignores", files: { "ignored/large.txt": LARGE } },
    { what: "anything at all", filled: true },
  ])("that would hold $what: the proof is in place, and says so", async ({ files, filled }) => {
    const box = await project(files);
    const before = await usersState(box);

    const ended = await run(box, [], { filled });

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended).proof).toMatchObject({
      method: "in-place",
      weaker: [{ code: "room_missing", params: { problem: { code: "room_full" } } }],
    });
    const shown = (await box.e8(["show", "--proof"])).stdout;
    expect(shown).toMatch(
      /^There was no clean checkout: the disk is full \(.*\)\. The proof was made in the workspace\.$/m,
    );
    expect(await usersState(box)).toEqual(before);
  });

  test("ends a run that accepts nothing but a clean proof, after one iteration, and it goes on where there is space", async () => {
    const box = await project();
    const ended = await run(box, ["--proof", "clean", "-n", "3"], { filled: true });

    expect(ended.code, ended.stderr).toBe(2);
    expect(resultOf(ended)).toMatchObject({ error_code: "disk_full", iterations_used: 1 });
    expect(resultOf(await box.e8(["run", "--resume", "--json"]))).toMatchObject({
      ...{ status: "completed", iterations_used: 1, proof: { method: "clean-room" } },
    });
  });

  const SETUP = ["--setup", `mkdir node_modules; ${FILL} > node_modules/x`, "--keep", "node_modules"];

  test("that setup fills: the proof is in place, and has what setup said", async () => {
    const box = await project();

    const ended = await run(box, SETUP);

    expect(ended.code, ended.stderr).toBe(0);
    expect((await box.e8(["show", "--proof"])).stdout).toMatch(
      /its setup .* No space left on device\. The proof was made/,
    );
  });

  test.each([
    { what: "setup, which does not notice it", flags: [...SETUP.with(1, `${SETUP[1]}; true`)] },
    { what: "a check", flags: ["--check", `${FILL} > large.txt`] },
    {
      what: "files made since, which a check needs",
      flags: [
        ...["--agent-command", `echo done > a.txt; mkdir -p ignored; ${FILL} > ignored/made`],
        ...["--check", "test -s ignored/made"],
      ],
    },
  ])("that is filled by $what: the run ends with exit code 2, and goes on where there is space", async ({ flags }) => {
    const box = await project();
    const before = await usersState(box, ["a.txt", "large.txt", "ignored/made"]);

    const ended = await run(box, flags);

    expect(ended.code, ended.stderr).toBe(2);
    expect(resultOf(ended)).toMatchObject({ status: "error", error_code: "disk_full" });
    expect(await usersState(box, ["a.txt", "large.txt", "ignored/made"])).toEqual(before);
    const resumed = await box.e8(["run", "--resume", "--json"]);
    expect(resultOf(resumed)).toMatchObject({
      status: "completed",
      iterations_used: 1,
      proof: { commit: expect.any(String) },
    });
  });
});
