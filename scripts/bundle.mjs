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

/**
 * Modules that are loaded together are in one file: to find and read a file takes longer than its text. Each part has what its roots load at
 * once and no part before it has. A part that follows is loaded by few of the commands that the ones before it are made for.
 */
const TOGETHER = {
  "every-command": ["cli/main.ts", "texts/en/catalogue.ts", "texts/ja/catalogue.ts"],
  "every-project": ["compose/project.ts", "compose/choose-store.ts", "texts/sentences.ts", "cli/commands/list.ts"],
  "every-look": [
    "cli/commands/show.ts",
    "cli/commands/status.ts",
    "cli/commands/issues.ts",
    "cli/commands/dashboard.ts",
  ],
  "every-run": ["cli/commands/run.ts"],
};

async function write(dir) {
  const parts = new Map();
  const bundle = await rolldown({
    cwd: root,
    input: { main: "src/cli/main.ts", "git-helper": "src/connection/processes/git-helper-main.ts" },
    platform: "node",
    external: (id) => /^(?![./])/.test(id) && !BUNDLED.includes(id.split("/")[0]),
    plugins: [partitioning(parts)],
    preserveEntrySignatures: "allow-extension",
  });
  const groups = [{ debugName: "together", name: (id) => parts.get(id) ?? null }];
  const codeSplitting = { groups, includeDependenciesRecursively: false }; // a part has them, or one before it has
  await bundle.write({ dir, format: "esm", chunkFileNames: "[name].js", codeSplitting });
  await bundle.close();
  for (const name of BUNDLED) await copyLicense(name, dir);
}

/** Notes for each module the first of the parts whose roots import it at once. */
function partitioning(parts) {
  return {
    name: "partitioning",
    buildEnd() {
      for (const [name, roots] of Object.entries(TOGETHER))
        for (const path of roots) take(this, parts, { id: join(root, "src", path), name });
    },
  };
}

function take(graph, parts, { id, name }) {
  if (parts.has(id)) return;
  const module = graph.getModuleInfo(id);
  if (!module || module.isExternal) return;
  // A language is loaded when it is spoken: what every command says of it stays in files of its own.
  parts.set(id, name === "every-command" && IN_A_LANGUAGE.test(id) ? null : name);
  for (const imported of module.importedIds) take(graph, parts, { id: imported, name });
}

const IN_A_LANGUAGE = /[\\/]src[\\/]texts[\\/](en|ja)[\\/]/;

async function copyLicense(name, dir) {
  const entry = fileURLToPath(import.meta.resolve(name));
  const inside = join("node_modules", name);
  const folder = entry.slice(0, entry.lastIndexOf(inside) + inside.length);
  const [license = "LICENSE"] = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file));
  await copyFile(join(folder, license), `${dir}/${name}.LICENSE`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleInto(`${root}dist/e8`);
