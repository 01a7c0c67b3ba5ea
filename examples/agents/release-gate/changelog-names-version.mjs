import { readFile } from "node:fs/promises";

/** A custom validator: the condition's params, then what it may look at. */
export default async function changelogNamesVersion({ file }, { parameters }) {
  const text = await readFile(file, "utf8").catch(() => "");
  const passed = text.includes(parameters.release);
  return { passed, reason: `${file} ${passed ? "names" : "does not name"} ${parameters.release}` };
}
