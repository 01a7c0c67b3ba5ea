import process from "node:process";
import { askGit } from "../../../src/connection/processes/git.ts";
import { holdGitHelper } from "../../../src/connection/processes/git-helper.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";

/** Asks a question that git cannot answer soon, kills the helper, and says what the answer was. */
const [, , directory = ""] = process.argv;
holdGitHelper();
const asked = askGit(["-c", "alias.slow=!sleep 0.3", "slow"], { directory });
const helpers = processTable()
  .rows()
  .filter(({ parent }) => parent === process.pid);
for (const { pid } of helpers) process.kill(pid, "SIGKILL");
const { exit_code } = await asked;
process.stdout.write(String(exit_code));
