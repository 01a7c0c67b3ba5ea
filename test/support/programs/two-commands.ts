import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";
import { readyGuard } from "../../../src/connection/processes/guard.ts";

/** Runs two endless commands; between their starts, their guard is killed. */
const [project = "."] = process.argv.slice(2);
const runner = createCommandRunner({ project, task_token: project });
const { signal } = new AbortController();
const run = async (name: string) => {
  void runner.run(
    { command: `echo $$ > ${name}; tail -f /dev/null; true`, timeout_seconds: 600, pipefail: false },
    signal,
  );
  while (!existsSync(join(project, name))) await sleep(20);
};

await run("first");
const guard = readyGuard();
guard.kill("SIGKILL");
await once(guard, "exit");
await run("second");
console.log(JSON.stringify("both run"));
