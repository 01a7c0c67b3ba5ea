import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));
const FULL = "/dev/full";

async function shell({ project, env }: Sandbox, line: string) {
  const call = { cwd: project, env: { ...env, E8, NODE: process.execPath } };
  return promisify(execFile)("bash", ["-c", `${line}; echo "exit code $?"`], call);
}

test.skipIf(!existsSync(FULL))(
  "a result that cannot be written is an error, also of a run that completed",
  async () => {
    const box = await sandbox();
    const run = `"$NODE" "$E8" run x --check true --agent-command true --json > ${FULL}`;
    const { stdout, stderr } = await shell(box, run);

    expect(stdout).toBe("exit code 2\n");
    expect(stderr).toMatch(/error: Standard output could not be written: ENOSPC/);
    expect((await box.records()).at(-1)).toMatchObject({ status: "completed" });
  },
);

test("a reader that closes the pipe early causes no error", async () => {
  const box = await sandbox();
  await box.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
  const { stdout, stderr } = await shell(box, `set -o pipefail; "$NODE" "$E8" list | head -1`);
  expect(stdout).toMatch(/exit code 0\n$/);
  expect(stderr).toBe("");
});

test("an answer larger than memory is written as it is read, and only as long as somebody reads it", async () => {
  const box = await sandbox();
  await box.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
  const query = "query \"select range, repeat('x', 1000) as text from range(10_000_000)\" --csv";
  const line = `set -o pipefail; "$NODE" --max-old-space-size=100 "$E8" ${query} | head -c 120000000 | wc -c`;
  const { stdout, stderr } = await shell(box, line);
  expect(stdout.trim().split(/\s*\n/)).toEqual(["120000000", "exit code 0"]);
  expect(stderr).toBe("");
});
