import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProofRecord } from "../../src/model/proof-record.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const BROKEN = "export const sum = (list) => list.reduce((a, b) => a - b, 0);\n";
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum([1, 2]), 3));
`;
/** The same as `npm test`, which takes five times as long. */
const CHECK = "node test/sum.test.js";
const MEND = "printf 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\\n' > src/sum.js";

/** A repository with a failing test; the proof is on, as it is for users. */
async function project(more: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "package.json": '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/sum.js": BROKEN,
    "test/sum.test.js": TEST,
    ".gitignore": "dist/\nnode_modules/\n.env\n",
    ...more,
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  return box;
}

function run(box: Sandbox, worker: string, ...flags: string[]) {
  const args = ["run", "Make sum() add", "--agent-command", worker, "-n", "2", "--json"];
  return box.e8([...args, ...(flags.includes("--check") ? [] : ["--check", CHECK]), ...flags]);
}

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

test("an honest run is proved in a clean checkout, and the report says what was red and is green", async () => {
  const box = await project();
  const ended = await run(box, MEND, "--check", "npm test");

  expect(ended.code).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({
    method: "clean-room",
    checks: [{ before: false, after: true }],
    protected_changes: [],
    weaker: [],
  });
  const shown = await box.e8(["show", "--proof"]);
  expect(shown.stdout).toContain("the checks ran again in a clean checkout of");
  expect(shown.stdout).toContain("✘ → ✔");
});

test("the user's branch, index, stash and untracked files are byte for byte as they were", async () => {
  const box = await project();
  await write(box.project, { "untracked.txt": "mine", "staged.txt": "mine" });
  await git(box.project, "add", "staged.txt");
  const state = async () => ({
    index: await readFile(join(box.project, ".git/index"), "base64"),
    head: await git(box.project, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD"),
    refs: await git(box.project, "for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
    worktrees: await git(box.project, "worktree", "list"),
    untracked: await readFile(join(box.project, "untracked.txt"), "utf8"),
  });
  const before = await state();

  expect((await run(box, MEND)).code).toBe(0);

  expect(await state()).toEqual(before);
});

test("a worker that weakens the test is refuted, and the next one reads which file", async () => {
  const box = await project();
  const ended = await run(
    box,
    "cat > prompt.txt; sed -i 's/, 3/, -3/' test/sum.test.js; sed -i 's/a - b/a - b/' src/sum.js",
    "--check",
    "npm test",
  );

  expect(ended.code).toBe(1);
  expect((await proofs(box))[0]).toMatchObject({
    holds: false,
    protected_changes: [{ path: "test/sum.test.js", status: "modified", why: "test" }],
  });
  expect(await box.read("prompt.txt")).toContain("M test/sum.test.js");
});

test("a changed test that the task allows is not held against it", async () => {
  const box = await project();
  const ended = await run(box, `${MEND}; echo '// more' >> test/sum.test.js`, "--may-change", "test/**");

  expect(ended.code).toBe(0);
  expect(resultOf(ended).proof?.method).toBe("clean-room");
});

test("a file that git ignores and the worker made is not in the clean checkout", async () => {
  const check = ["--check", "test -e dist/ok"];
  const worker = "mkdir -p dist; touch dist/ok";

  const lenient = await project();
  const believed = await run(lenient, worker, ...check);
  expect(resultOf(believed).proof).toMatchObject({ method: "in-place", made_since: ["dist/ok"] });

  const strict = await project();
  expect((await run(strict, worker, ...check, "--proof", "clean")).code).toBe(1);
});

test("a check may use what git ignores as it was at the start", async () => {
  const box = await project({});
  await write(box.project, { ".env": "LIMIT=3\n", "node_modules/checked/index.js": "export default 1;\n" });
  const ended = await run(
    box,
    MEND,
    "--check",
    `grep -q LIMIT .env && test -e node_modules/checked/index.js && ${CHECK}`,
  );

  expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
});

test("settings in HOME and programs on the PATH that a worker changes do not count, and are named", async () => {
  const box = await project();
  const bin = join(box.home, "bin");
  await mkdir(bin);
  box.env.PATH = `${bin}:${box.env.PATH}`;
  const cheats = `printf '#!/bin/sh\\nexit 0\\n' > "$HOME/bin/npm"; chmod +x "$HOME/bin/npm"; echo quiet=true > "$HOME/.npmrc"`;

  expect((await run(box, cheats, "--check", "npm test")).code).toBe(1);

  const [proof] = await proofs(box);
  expect(JSON.stringify(proof?.reasons)).toContain(`A ${join(box.home, ".npmrc")}, M program npm`);
});

test("in a folder without git the proof is the same", async () => {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/sum.js": BROKEN,
    "test/sum.test.js": TEST,
  });

  expect(resultOf(await run(box, MEND)).proof).toMatchObject({ method: "clean-room" });

  await writeFile(join(box.project, "src/sum.js"), BROKEN);
  expect((await run(box, "rm test/sum.test.js")).code).toBe(1);
});

test("in a package of a larger repository the checks run in that package", async () => {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  const inner = join(box.project, "packages", "my パッケージ");
  await mkdir(inner, { recursive: true });
  await write(inner, { "check.sh": "test -e done\n" });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");

  const ended = await run(box, "touch done", "--project", inner, "--check", "sh check.sh");

  expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
});

test("git in a check sees the user's branch and last commit, and the work as changes", async () => {
  const box = await project();
  await git(box.project, "checkout", "-q", "-b", "feature/x");
  const asks = 'test "$(git rev-parse --abbrev-ref HEAD)" = feature/x && git log --format=%s | grep -qx start';
  const ended = await run(box, MEND, "--check", `${asks} && git status --porcelain | grep -q src/sum.js && ${CHECK}`);

  expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
});

test("line ends of the clean checkout follow the repository's own settings", async () => {
  const box = await project();
  await git(box.project, "config", "core.autocrlf", "true");
  const ended = await run(
    box,
    `${MEND}; printf 'a\\r\\n' > note.txt`,
    "--check",
    `${CHECK} && grep -q $'a\\r' note.txt`,
  );

  expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
});

test("the work in a submodule is proved in a clean checkout, and a test that is changed there is protected", async () => {
  const library = await project({ "lib.txt": "start\n" });
  const box = await project();
  await git(box.project, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library.project, "lib");
  await git(box.project, "commit", "-q", "-am", "lib");
  const check = ["--check", "node test/sum.test.js && grep -q done lib/lib.txt"];

  const ended = await run(box, `${MEND}; echo done > lib/lib.txt`, ...check);
  expect(resultOf(ended).proof).toMatchObject({ method: "clean-room", weaker: [] });

  await write(box.project, { "lib/lib.txt": "start\n" });
  await run(box, "echo done > lib/lib.txt; echo '//' >> lib/test/sum.test.js", ...check);
  expect((await proofs(box)).at(-1)?.protected_changes).toMatchObject([{ path: "lib/test/sum.test.js" }]);
});

test("without a model, checks that pass before the work end the run at once", async () => {
  const box = await project();
  const ended = await run(box, "touch worked", "--check", "true");

  expect(resultOf(ended)).toMatchObject({ status: "completed", stop_reason: "already_true", iterations_used: 0 });
  await expect(box.read("worked")).rejects.toThrow();
});

/** A machine without a git that works. */
async function withoutGit(): Promise<Sandbox> {
  const box = await project();
  await mkdir(join(box.home, "bin"));
  await writeFile(join(box.home, "bin/git"), "#!/bin/sh\nexit 127\n");
  await chmod(join(box.home, "bin/git"), 0o755);
  box.env.PATH = `${join(box.home, "bin")}:${box.env.PATH}`;
  return box;
}

test("a repository that cannot be written is proved in place, and the report says why", async () => {
  const box = await withoutGit();

  const ended = await run(box, MEND);

  expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "in-place", commit: null } });
  expect(resultOf(ended).proof?.weaker.map(({ code }) => code)).toEqual(["room_missing"]);
});

test("where nothing but a clean proof is asked for, such a repository ends the run before any work", async () => {
  const box = await withoutGit();
  const ended = await run(box, MEND, "--proof", "clean");

  expect(ended.code, ended.stderr).toBe(2);
  expect(resultOf(ended)).toMatchObject({ error_code: "clean_room_missing", iterations_used: 0 });
  expect(await box.read("src/sum.js")).toBe(BROKEN);
});

test("a filter that a worker adds, and that fails, is a finding: the next worker takes it back", async () => {
  const box = await project();
  await writeFile(
    join(box.home, ".gitconfig"),
    '[filter "gone"]\n\tclean = cat\n\tsmudge = is-not-here\n\trequired = true\n',
  );
  const worker = `if [ -e .gitattributes ]; then rm .gitattributes; else ${MEND}; echo 'src/* filter=gone' > .gitattributes; fi`;
  const ended = await run(box, worker, "--proof", "clean", "--may-change", ".gitattributes");

  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2, proof: { method: "clean-room" } });
  expect((await proofs(box))[0]?.reasons).toMatchObject([
    { code: "proof_not_clean", params: { problem: { code: "room_failed" } } },
  ]);
});

test("a worker that removes the snapshots from the repository again and again gains nothing", async () => {
  const box = await project();
  const cheats = `: > test/sum.test.js; git for-each-ref --format='delete %(refname)' refs/e8 | git update-ref --stdin; git gc -q --prune=now`;

  expect((await run(box, cheats, "-n", "2")).code).toBe(1);

  expect((await proofs(box)).map(({ holds }) => holds)).toEqual([false, false]);
});

test("an object that git is told to take for another one stays what it was", async () => {
  const box = await project();
  const cheats = `start=$(git for-each-ref --format='%(objectname)' refs/e8 | head -1); : > test/sum.test.js
    export GIT_INDEX_FILE="$HOME/index"; git read-tree "$start"; git add test/sum.test.js
    git replace -f "$start" "$(git -c user.name=w -c user.email=w@example.com commit-tree "$(git write-tree)" -m start)"`;

  expect((await run(box, cheats, "-n", "1")).code).toBe(1);

  expect((await proofs(box))[0]?.protected_changes).toMatchObject([{ path: "test/sum.test.js" }]);
});

test("a check that passes with fewer tests than before the work is not met", async () => {
  const more =
    'import { sum } from "../src/sum.js";\nimport { test } from "node:test";\ntest("a", () => sum(1, 2));\ntest("b", () => {});\n';
  const box = await project({ "test/more.test.js": more });
  const ended = await run(
    box,
    "echo 'process.exit(0); export function sum() {}' > src/sum.js",
    "-n",
    "1",
    "--check",
    "node --test",
  );

  expect(ended.code).toBe(1);
  const [proof] = await proofs(box);
  expect(proof?.evaluations[0]).toMatchObject({ is_met: false, outcome: { code: "fewer_tests" } });
});

test("a check that writes into an empty directory of the start is proved in a clean checkout", async () => {
  const box = await project({ ".gitignore": "build/*\n" });
  for (const name of ["build", "out"]) await mkdir(join(box.project, name));

  const ended = await run(box, MEND, "--check", `${CHECK} >build/log.txt && cd out`);

  expect(resultOf(ended).proof).toMatchObject({ method: "clean-room", weaker: [], checks: [{ after: true }] });
});
