import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadModule } from "../../../src/connection/flows/modules.ts";
import { startProgram } from "../../support/program.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function file(name: string, text: string): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, text);
  return path;
}

/** In a process without vitest, which would import in its own way. */
function load(path: string): Promise<unknown> {
  return startProgram("load-module", path).next();
}

test("a module's default export is what is loaded, whatever its path", async () => {
  const path = await file("my #1 handler? 100%.mjs", "export default () => 'called'; export const other = 5;");

  expect(await load(path)).toEqual({ loaded: "called" });
});

test("a changed module is loaded again", async () => {
  const path = await file("handler.mjs", "export default 'old';");
  await utimes(path, 1000, 1000);
  expect(await loadModule(path)).toBe("old");

  await writeFile(path, "export default 'new';");

  expect(await loadModule(path)).toBe("new");
});

test.each([
  ["is no JavaScript", "export default {{{", "Unexpected token"],
  ["throws while it is loaded", "throw new Error('not today');", "not today"],
  ["throws something odd", "throw null;", "null"],
  ["imports what is not there", "import 'surely-not-installed'; export default 1;", "surely-not-installed"],
])("a module that %s is named, with the reason", async (_what, text, problem) => {
  const path = await file("handler.mjs", text);

  expect(await load(path)).toEqual({
    code: "module_broken",
    details: { path, problem: expect.stringContaining(problem) },
  });
});

test("a module that does not exist or has no default export is named with a message of ours", async () => {
  const path = await file("handler.mjs", "export const a = 1;");

  expect(await load(path)).toEqual({ code: "module_broken", details: { path, problem: saying("no default export") } });
  expect(await load("/no/such/module.mjs")).toMatchObject({ details: { problem: saying("it does not exist") } });
});

test("a kind of file that Node does not run is named", async () => {
  expect(await load(await file("handler.css", ""))).toMatchObject({
    code: "module_broken",
    details: { problem: expect.stringContaining(".css") },
  });
});
