import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";
import { askGit } from "../../../src/connection/processes/git.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { endOrphans, endTree, isAlone, startTree } from "../../../src/connection/processes/process-tree.ts";

/** Ends what it has started when it is out of file descriptors, and starts more in vain; then tells how that went. */
const [project = "."] = process.argv.slice(2);
const environment = process.env;
const task_token = project;
const command = "tail -f /dev/null & echo $!; wait; true";
const tree = startTree({
  command: "bash",
  args: ["-c", command],
  cwd: project,
  environment,
  task_token,
  stdin: "ignore",
  stderr: "ignore",
});
const below = Number(String(await once(tree.child.stdout ?? process.stdin, "data")));
const runner = createCommandRunner({ project, environment, task_token });
const { signal } = new AbortController();
const timed = runner.run({ command, timeout_seconds: 1, pipefail: false }, signal);
await setImmediate(); // it has started

const used: number[] = [];
exhaust();
const alone = isAlone(tree);
await endTree(tree);
const { timed_out, signal: ended_by } = await timed;
exhaust();
const { start_error } = await runner.run({ command: "true", timeout_seconds: 5, pipefail: false }, signal);
const { exit_code } = await askGit(["status"], { directory: project });
exhaust();
const orphans = await endOrphans(task_token).catch((error: { code: string }) => error.code);
for (const file of used) closeSync(file);
const rows = processTable().rows();
const left = rows.filter(({ pid }) => pid === tree.child.pid || pid === below).length;
console.log(JSON.stringify({ alone, timed_out, ended_by, start_error, git: exit_code, orphans, left }));
process.exit();

function exhaust(): void {
  try {
    for (;;) used.push(openSync("/dev/null", "r"));
  } catch {
    // There are none left.
  }
}
