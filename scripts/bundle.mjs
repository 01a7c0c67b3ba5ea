// `node scripts/bundle.mjs`: makes the command line's files, dist/e8, out of src/cli. Few files start much sooner than many; what is
// loaded only when it is needed stays in files of its own. Of other packages only zod goes in: most of it is never used.
import { copyFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));
const directory = `${root}dist/e8`;

await rm(directory, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: { main: "src/cli/main.ts" },
  platform: "node",
  external: (id) => /^(?![./])/.test(id) && !/^zod($|\/)/.test(id),
});
await bundle.write({ dir: directory, format: "esm", chunkFileNames: "[name].js" });
await bundle.close();
await copyFile(`${root}node_modules/zod/LICENSE`, `${directory}/zod.LICENSE`);
