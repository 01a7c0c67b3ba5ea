#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--version") printVersion();
else {
  const { load } = await import("./kept-code.js");
  const program = fileURLToPath(new URL("../dist/e8/main.cjs", import.meta.url));
  const { main } = load(existsSync(program) ? program : await firstStart());
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
