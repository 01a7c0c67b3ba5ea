#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import process from "node:process";

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--version") printVersion();
else {
  module.enableCompileCache?.(); // from Node 22.1 on: what was compiled once is kept for the next start
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
