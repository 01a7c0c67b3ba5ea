import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unlockIndex } from "../../../src/connection/processes/git.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

test("the lock of a git that is still at work is removed when that git has ended, and one of a dead git at once", async () => {
  const index = join(await temporaryDirectory(), "index");
  await writeFile(`${index}.lock`, "");
  const git = spawn("sh", ["-c", "echo ready; read line"], {
    env: { ...process.env, GIT_INDEX_FILE: index },
    stdio: ["pipe", "pipe", "ignore"],
  });
  await once(git.stdout, "data");

  let isUnlocked = false;
  const unlocked = unlockIndex(index).then(() => {
    isUnlocked = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([isUnlocked, existsSync(`${index}.lock`)]).toEqual([false, true]);
  git.stdin.end("\n");
  await once(git, "close");
  await unlocked;
  expect(existsSync(`${index}.lock`)).toBe(false);

  await writeFile(`${index}.lock`, "");
  await unlockIndex(index);
  expect(existsSync(`${index}.lock`)).toBe(false);
});
