import { expect, test } from "vitest";
import { storeOf } from "../../src/compose/store.ts";
import { configureTask } from "../../src/compose/tasks.ts";
import { occupy } from "../../src/connection/workspace/place-lock.ts";
import { resume } from "../../src/index.ts";
import { backlogBox } from "../support/backlog-box.ts";

test("a task that was killed before it had its branch goes on while another run works in the project's own directory", async () => {
  const { project, env: environment } = await backlogBox();
  const task = {
    task: "Write done.txt",
    criteria: [{ type: "command", command: "grep -q done done.txt" }],
    agent: { command: "echo done > done.txt" },
    worktree: { enabled: true, base: "main" },
  };
  const { configuration } = await configureTask(task, project, environment);
  const id = await storeOf(project).create({ configuration, now: new Date() });
  const leave = await occupy({ id: "another", project, directory: project, samePlace: false });

  const result = await resume({ project, id, environment });

  await leave();
  expect(result).toMatchObject({ status: "completed", landing: { outcome: "landed" } });
});
