import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);

test("what was compiled is kept beside the program for the next start", async () => {
  const { box, kept, started } = await installation();

  const first = await started();
  const names = await kept();
  const second = await started();

  expect(first).toEqual(second);
  expect(first).toContain("look at this machine");
  expect(names.length).toBeGreaterThan(0);
  expect(await kept()).toEqual(names);
  expect(await readdir(box.project)).toEqual([]);
});

test("kept code that is torn, or of another text of the same length, is not used", async () => {
  const { home, kept, started } = await installation();
  const before = await started();
  for (const name of await kept()) await writeFile(join(home, name), "torn");
  const torn = await started();
  const catalogue = join(home, "catalogue.cjs");
  const text = await readFile(catalogue, "utf8");
  await writeFile(catalogue, text.replace("look at this machine", "LOOK AT THIS MACHINE"));
  const changed = await started();

  expect(torn).toBe(before);
  expect(changed).not.toBe(before);
  expect(changed.toLowerCase()).toBe(before.toLowerCase());
});

test("where nothing can be kept, every start compiles", async () => {
  const { home, kept, started } = await installation();
  const before = await started();
  for (const name of await kept()) {
    await rm(join(home, name), { recursive: true, force: true });
    await mkdir(join(home, name), { recursive: true }); // no file can be put there
  }

  expect(await started()).toBe(before);
});

/** The program, copied, so that nothing has been kept yet. */
async function installation() {
  const box: Sandbox = await sandbox();
  const folder = join(box.home, "installed");
  const home = join(folder, "dist", "e8");
  await mkdir(join(folder, "dist"), { recursive: true });
  await cp(join(ROOT, "dist/e8"), home, { recursive: true, filter: (path) => !/kept$/.test(path) });
  for (const name of ["bin", "package.json"]) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const started = async () => {
    const { stdout, stderr } = await execute(process.execPath, [join(folder, "bin/e8.js"), "--help"], {
      cwd: box.project,
      env: box.env,
    });
    expect(stderr).toBe("");
    return stdout;
  };
  const kept = async () => (await readdir(home, { recursive: true })).filter((name) => /kept/.test(name)).sort();
  return { box, home, started, kept };
}
