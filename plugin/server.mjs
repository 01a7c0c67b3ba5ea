// Starts `e8 mcp`: of the package that this plugin lies in, else of the project, else the one on the PATH.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const programs = [
  fileURLToPath(new URL("../bin/e8.js", import.meta.url)),
  join(process.cwd(), "node_modules", "endless8", "bin", "e8.js"),
];
const found = programs.find((path) => existsSync(path));
const [command, ...words] = found === undefined ? ["e8"] : [process.execPath, found];

const child = spawn(command, [...words, "mcp"], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", () => {
  process.stderr.write("endless8 is not installed. Install it: npm install -g endless8\n");
  process.exitCode = 127;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
