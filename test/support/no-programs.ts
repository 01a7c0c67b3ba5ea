import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Loaded before every test of the project `fast`: a test that starts a program belongs into another one. */
const SYNCHRONOUS = ["spawnSync", "execSync", "execFileSync"] as const;

// Every asynchronous way to start a program goes through this method, which Node's types leave out.
const starter = childProcess.ChildProcess.prototype as unknown as { spawn: () => never };
starter.spawn = refuse;
for (const name of SYNCHRONOUS) Object.assign(childProcess, { [name]: refuse });
syncBuiltinESMExports();

function refuse(): never {
  throw new Error("This test starts a program: name its file in SLOW of vitest.config.ts.");
}
