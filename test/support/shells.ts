import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ShellJob {
  shell?: string;
  script: string;
  args?: readonly string[];
}

export interface ShellOutcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs scripts one after the other in a directory. One bash starts them all: starting a program from a test's process takes far longer. */
export function runScripts(directory: string, jobs: readonly ShellJob[]): ShellOutcome[] {
  const errors = mkdtempSync(join(tmpdir(), "e8-shells-"));
  const words = jobs.flatMap(({ shell = "bash", script, args = [] }) => [shell, script, String(args.length), ...args]);
  const { stdout, status } = spawnSync("bash", ["-c", DRIVER, "driver", join(errors, "stderr"), ...words], {
    cwd: directory,
    encoding: "utf8",
    input: "",
    maxBuffer: 1 << 28,
  });
  rmSync(errors, { recursive: true });
  if (status !== 0) throw new Error(`The driver ended with ${status}.`);
  const fields = stdout.split("\0");
  return jobs.map((_, index) => {
    const [out = "", code, err = ""] = fields.slice(3 * index, 3 * index + 3);
    return { status: Number(code), stdout: out, stderr: err };
  });
}

/** Of each job, its output, its exit code and its errors, each ended by a NUL. */
const DRIVER = `
errors=$1; shift
while [ $# -gt 0 ]; do
  shell=$1 script=$2 count=$3; shift 3
  "$shell" -c "$script" e8 "\${@:1:count}" 2> "$errors" < /dev/null
  printf '\\0%d\\0' $?
  cat "$errors"; printf '\\0'
  shift "$count"
done`;
