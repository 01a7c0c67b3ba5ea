import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProofRecord } from "../../src/model/proof-record.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const HONEST = "echo done > work.txt";
const WEAKENS = "echo true > check.sh";

/** A repository with a failing check; the proof is on, as it is for users. */
async function project(): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, { "check.sh": "grep -q done work.txt\n", "work.txt": "begun\n" });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  return box;
}

function run(box: Sandbox, worker: string) {
  return box.e8(["run", "Finish the work", "--check", "sh check.sh", "--agent-command", worker, "-n", "2", "--json"]);
}

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

test.each([
  ["a broken configuration of git", "printf '[core\\n' >> .git/config", "config"],
  ["a lost directory of objects", "rm -rf .git/objects; touch .git/objects", "git"],
])("%s is not a way round the comparison with the start", async (_, breaks, words) => {
  const box = await project();
  const ended = await run(box, `${WEAKENS}; ${breaks}`);

  expect(ended.code, ended.stderr).toBe(1);
  const all = await proofs(box);
  expect(all.map(({ holds }) => holds)).not.toContain(true);
  expect(all[0]?.reasons.map(({ code }) => code)).toContain("work_not_kept");
  expect(JSON.stringify(all[0]?.reasons)).toContain(words);
});

test("a pipe, an empty repository and an unreadable file in the project do not hide what a worker has changed", async () => {
  const box = await project();
  const litter = "mkfifo pipe; mkdir inner; git -C inner init -q; echo x > secret; chmod 000 secret";
  const ended = await run(box, `${WEAKENS}; [ -e pipe ] || { ${litter}; }`);

  expect(ended.code, ended.stderr).toBe(1);
  expect((await proofs(box))[0]).toMatchObject({ holds: false, protected_changes: [{ path: "check.sh" }] });
});

test("a worker that breaks git by accident is told what git said, and the next one puts it right", async () => {
  const box = await project();
  const breaks = "cp .git/config .git/kept; printf '[core\\n' >> .git/config";
  const repairs = 'cat > "$HOME/.cache/prompt"; mv .git/kept .git/config';
  await write(box.home, { ".cache/prompt": "" });
  const ended = await run(box, `if [ -e .git/kept ]; then ${repairs}; else ${HONEST}; ${breaks}; fi`);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2, proof: { method: "clean-room" } });
  expect((await proofs(box)).map(({ holds }) => holds)).toEqual([false, true]);
  expect(await readFile(join(box.home, ".cache/prompt"), "utf8")).toContain("bad config");
});
