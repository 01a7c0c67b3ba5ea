#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import v8 from "node:v8";

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--version") printVersion();
else {
  // From Node 22.1 on, what was compiled once is kept for the next start. Node 20 starts sooner with fewer, larger garbage collections.
  if (module.enableCompileCache) module.enableCompileCache();
  else v8.setFlagsFromString("--semi-space-growth-factor=16");
  const program = new URL("../dist/e8/main.js", import.meta.url);
  const { main } = await import(existsSync(program) ? program.href : await firstStart());
  await main(words);
}

async function firstStart() {
  const { built } = await import("./first-start.js");
  return built();
}

/** Scripts ask for it at every turn, so it is answered before anything is loaded. */
function printVersion() {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.on("error", () => {}); // a reader that went away
  process.stdout.write(`${version}\n`);
}
