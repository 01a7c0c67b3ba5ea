import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, repository, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const ADD = ["-c", "protocol.file.allow=always", "submodule", "add", "-q"];

/** A repository with a submodule that has one of its own; the user stands beside the base. */
async function box(): Promise<Sandbox & { library: string }> {
  const inner = await repository({ "inner.txt": "inner\n" });
  const library = await repository({ "lib.txt": "lib\n" });
  await git(library, ...ADD, inner, "inner");
  await git(library, "commit", "-q", "-m", "inner");
  const one = await quickSandbox();
  delete one.env.ENDLESS8_PROOF;
  await git(one.project, "init", "-q", "-b", "main");
  await write(one.project, {
    "check.sh": "grep -q lib lib/lib.txt && grep -q inner lib/inner/inner.txt && test -f done.txt\n",
  });
  await git(one.project, ...ADD, library, "lib");
  await git(one.project, "add", "-A");
  await git(one.project, "commit", "-q", "-m", "first");
  await git(one.project, "checkout", "-q", "-b", "mine");
  return { ...one, library };
}

function run(one: Sandbox, work: string) {
  const worker = `cat > /dev/null; ${work}; echo done > done.txt; echo worked`;
  const task = ["run", "Write done.txt", "--check", "sh check.sh", "--no-intake", "--json", "-n", "1"];
  return one.e8([...task, "--worktree", "--base", "main", "--agent-command", worker]);
}

test("work beside submodules lands: they are there in the worktree, in the clean checkout, and as the base has them when it moves", async () => {
  const one = await box();
  const { project, home, library } = one;
  const moves = [
    `cd '${library}'; echo more > more.txt; git add -A; git commit -qm more`,
    `cd '${project}/lib'; git -c protocol.file.allow=always pull -q`,
    `cd '${project}'; git checkout -q main; git add lib; git commit -qm 'a later lib'; git checkout -q mine`,
  ];
  await write(home, {
    "move.sh": `export GIT_AUTHOR_NAME=u GIT_AUTHOR_EMAIL=u@x GIT_COMMITTER_NAME=u GIT_COMMITTER_EMAIL=u@x\n${moves.join("\n")}\n`,
  });
  one.env.ENDLESS8_SANDBOX = "off"; // the worker plays the user

  const ended = await run(one, `sh '${home}/move.sh'`);

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    landing: { outcome: "landed" },
    proof: { method: "clean-room" },
  });
  expect(await git(project, "ls-tree", "--name-only", "main")).toBe(".gitmodules\ncheck.sh\ndone.txt\nlib\n");
  expect(await git(project, "rev-parse", "main:lib")).toBe(await git(library, "rev-parse", "HEAD"));
  expect((await readdir(home)).filter((name) => name.endsWith(".worktrees"))).toEqual([]);
});

test.each([
  ["changed in the worktree", "echo more >> lib/lib.txt", "submodule_changed"],
  [
    "committed there, where nobody else finds it",
    "cd lib; echo more >> lib.txt; git -c user.name=w -c user.email=w@x commit -qam more; cd ..",
    "submodule_unpublished",
  ],
])("work in a submodule that is %s does not land, and stays", async (_, work, code) => {
  const one = await box();

  const result = resultOf(await run(one, work));

  expect(result).toMatchObject({
    stop_reason: "not_landed",
    landing: { outcome: "failed", problem: { code, params: { path: "lib" } } },
  });
  expect(existsSync(join(result.kept_in?.worktree ?? "", "done.txt"))).toBe(true);
  expect(await git(one.project, "log", "--format=%s", "main")).toBe("first\n");
});
