// Runs every JavaScript block of a Markdown file, as a module beside it.
import { readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const markdown = await readFile(process.argv[2], "utf8");
const examples = [...markdown.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code);
for (const [index, code] of examples.entries()) {
  const file = `example-${index}.tmp.mjs`;
  await writeFile(file, code);
  await import(pathToFileURL(file).href).finally(() => rm(file));
}
console.log(`${examples.length} example(s) ran`);
process.exitCode = examples.length > 0 ? 0 : 1;
