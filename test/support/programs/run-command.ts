import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";

/** Runs a command in a directory and prints its outcome. */
const [project = "", command = ""] = process.argv.slice(2);

const runner = createCommandRunner({ project, task_token: project });
const request = { command, timeout_seconds: 100, pipefail: false };
console.log(JSON.stringify(await runner.run(request, new AbortController().signal)));
