import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";
import { killSomewhere, randomFrom } from "../support/seeded-kill.ts";

const KILLS = Number(process.env.E8_KILLS ?? 12);

async function project(): Promise<Sandbox> {
  const box = await sandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "a.txt": "start\n",
    "check.sh": "sleep 0.05; grep -q done a.txt\n",
    ".gitignore": ".env\n",
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  await write(box.project, { ".env": "KEY=1\n", "mine.txt": "untracked\n" });
  return box;
}

async function stateOf({ project }: Sandbox): Promise<object> {
  return {
    index: await readFile(join(project, ".git/index"), "base64"),
    refs: await git(project, "for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
    head: await readFile(join(project, ".git/HEAD"), "utf8"),
    hooks: await readdir(join(project, ".git/hooks")),
    own: [await readFile(join(project, ".env"), "utf8"), await readFile(join(project, "mine.txt"), "utf8")],
  };
}

/** Goes on with a task that was killed; one that got to its end is followed by another. */
async function nextRun(box: Sandbox): Promise<string[]> {
  if ((await box.records()).at(-1)?.type !== "final_result" && (await box.tasks()).length > 0)
    return ["run", "--resume", "--json"];
  await write(box.project, { "a.txt": "start\n" });
  return ["run", "x", "--agent-command", "echo done > a.txt", "--check", "sh check.sh", "--json"];
}

test("a run that is killed again and again, wherever it is, ends proved; the user's repository is as it was", async () => {
  const box = await project();
  const before = await stateOf(box);
  const random = randomFrom(14);

  for (let kill = 0; kill < KILLS; kill += 1) await killSomewhere(box.start(await nextRun(box)), random, { lines: 6 });
  const last = await box.e8(await nextRun(box));

  expect(resultOf(last)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
  expect(await stateOf(box)).toEqual(before);
  expect(await git(box.project, "fsck", "--no-dangling")).toBe("");
  const rooms = join(box.home, ".cache/endless8/rooms");
  for (const room of await readdir(rooms)) await expect(stat(join(rooms, room, "lock"))).rejects.toThrow();
});
