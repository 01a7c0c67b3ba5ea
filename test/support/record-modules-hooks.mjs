import { appendFileSync } from "node:fs";
import process from "node:process";

/** Writes the address of every module that is really loaded into a file. */
export async function load(url, context, nextLoad) {
  appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
  return nextLoad(url, context);
}
