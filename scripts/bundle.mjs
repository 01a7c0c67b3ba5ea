// `node scripts/bundle.mjs`: makes the command line's files, dist/e8, out of src/cli. Few files start much sooner than many; what is
// loaded only when it is needed stays in files of its own. Of other packages the small ones that a run loads go in.
import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Those of which a file each takes longer to find than to read. Of zod, most is never used. */
const BUNDLED = ["commander", "fastest-levenshtein", "picomatch", "unbash", "yaml", "zod"];

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
    external: (id) => /^(?![./])/.test(id) && !BUNDLED.includes(id.split("/")[0]),
  });
  await bundle.write({ dir, format: "esm", chunkFileNames: "[name].js" });
  await bundle.close();
  for (const name of BUNDLED) await copyLicense(name, dir);
}

async function copyLicense(name, dir) {
  const entry = fileURLToPath(import.meta.resolve(name));
  const inside = join("node_modules", name);
  const folder = entry.slice(0, entry.lastIndexOf(inside) + inside.length);
  const [license = "LICENSE"] = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file));
  await copyFile(join(folder, license), `${dir}/${name}.LICENSE`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleInto(`${root}dist/e8`);
