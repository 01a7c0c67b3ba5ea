import { existsSync } from "node:fs";
import { access, constants, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * npm cannot build a package that it installs with `--global` from a git URL (npm/cli#8440), so the first start does: half a second,
 * once. Returns the program's path.
 */
export async function built() {
  const home = await writableHome();
  const program = join(home, "dist", "e8", "main.cjs");
  if (!existsSync(program)) {
    const { bundleInto } = await import("../scripts/bundle.mjs");
    await mkdir(join(home, "dist"), { recursive: true });
    await bundleInto(join(home, "dist", "e8"));
  }
  return program;
}

/** The package itself or, where only root may write to it, a folder of the user's cache with links to all its parts. */
async function writableHome() {
  const isOurs = await access(ROOT, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isOurs) return ROOT;
  const { ino, ctimeMs } = await stat(ROOT); // another installation, another folder
  const home = join(
    process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
    "endless8",
    `${ino}-${Math.floor(ctimeMs)}`,
  );
  await mkdir(home, { recursive: true });
  for (const name of await readdir(ROOT)) await symlink(join(ROOT, name), join(home, name)).catch(ignoreExisting);
  return home;
}

function ignoreExisting(error) {
  if (error.code !== "EEXIST") throw error;
}
