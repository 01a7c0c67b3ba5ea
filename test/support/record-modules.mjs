import { appendFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";

register("./record-modules-hooks.mjs", import.meta.url);

// CommonJS files, those of the program among them, do not go through hooks.
process.once("exit", () => {
  const urls = Object.keys(createRequire(import.meta.url).cache).map((path) => pathToFileURL(path).href);
  appendFileSync(process.env.LOADED_MODULES, urls.map((url) => `${url}\n`).join(""));
});
