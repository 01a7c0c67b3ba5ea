import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterEach } from "vitest";

/** Loaded before every test of the project `fast`: a test that starts a program belongs into another one. */
const REFUSAL = "This test starts a program: name its file in vitest.config.ts.";
const SYNCHRONOUS = ["spawnSync", "execSync", "execFileSync"] as const;

let isRefused = false;

// Every asynchronous way to start a program goes through this method, which Node's types leave out.
const starter = childProcess.ChildProcess.prototype as unknown as { spawn: () => never };
starter.spawn = refuse;
for (const name of SYNCHRONOUS) Object.assign(childProcess, { [name]: refuse });
syncBuiltinESMExports();

afterEach(() => {
  if (!isRefused) return;
  isRefused = false;
  throw new Error(REFUSAL); // the code under test may have caught the first one
});

function refuse(): never {
  isRefused = true;
  throw new Error(REFUSAL);
}
