import { expect, test, vi } from "vitest";
import { startDetachedRun } from "../../src/compose/detached.ts";
import { sandbox } from "../support/sandbox.ts";

const WORKER = "until [ -f go ]; do sleep 0.05; done; echo worked";

test("a run that is started from another program begins in a process of its own, and goes on when nobody reads what it says", async () => {
  const box = await sandbox();

  const id = await startDetachedRun({
    project: box.project,
    words: ["run", "-", "--check=test -f go", `--agent-command=${WORKER}`],
    input: "--version is a text, and so is `rm -rf`",
    environment: box.env,
  });
  const begun = JSON.parse((await box.e8(["list", "--json"])).stdout);
  await box.write("go", "");

  expect(begun).toMatchObject([{ task_id: id, status: "running", task: "--version is a text, and so is `rm -rf`" }]);
  await vi.waitFor(
    async () => expect((await box.records()).at(-1)).toMatchObject({ type: "final_result", status: "completed" }),
    { timeout: 60_000, interval: 100 },
  );
});

test("what keeps such a run from beginning is said, and nothing is left behind", async () => {
  const box = await sandbox();

  const started = startDetachedRun({ project: box.project, words: ["run", "-"], input: "Do it", environment: box.env });

  await expect(started).rejects.toMatchObject({
    code: "run_not_started",
    details: { said: expect.stringContaining("There are no criteria") },
  });
  expect(await box.tasks()).toEqual([]);
});
