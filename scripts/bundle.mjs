// `node scripts/bundle.mjs`: makes the command line's files, dist/e8, out of src/cli. Few files start much sooner than many; what is
// loaded only when it is needed stays in files of its own. Of other packages only zod goes in: most of it is never used.
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Writes elsewhere first: another process may start the program, or bundle it, at the same time. */
export async function bundleInto(directory) {
  const draft = `${directory}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await write(draft);
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function write(dir) {
  const bundle = await rolldown({
    cwd: root,
    input: { main: "src/cli/main.ts", "git-helper": "src/connection/processes/git-helper-main.ts" },
    platform: "node",
    external: (id) => /^(?![./])/.test(id) && !/^zod($|\/)/.test(id),
  });
  await bundle.write({ dir, format: "esm", chunkFileNames: "[name].js" });
  await bundle.close();
  await copyFile(
    fileURLToPath(import.meta.resolve("zod/package.json")).replace(/package\.json$/, "LICENSE"),
    `${dir}/zod.LICENSE`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleInto(`${root}dist/e8`);
