import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { TriedAgent } from "./tried/agent.ts";

const execute = promisify(execFile);

/** The programs of an agent that is installed. */
export interface Installed {
  /** Has the agent's program, and nothing else of the package. */
  program: string;
  modules: string;
  version: string;
}

/** Installs an agent's package into a cache of our own, once for each version. No script of a package is run. */
export async function install(agent: TriedAgent): Promise<Installed> {
  const folder = join(cacheDirectory(), `${agent.program}-${agent.version}`);
  const done = join(folder, "installed.json");
  if (!(await read(done))) {
    const draft = `${folder}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, "package.json"), '{ "private": true }');
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await execute("npm", [...words, `${agent.package}@${agent.version}`], { cwd: draft });
    await writeFile(join(draft, "installed.json"), "{}");
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  }
  const modules = join(folder, "node_modules");
  const program = join(modules, ...(agent.binary ?? [".bin", agent.program]));
  const manifest = await readFile(join(modules, agent.package, "package.json"), "utf8");
  return { program, modules, version: (JSON.parse(manifest) as { version: string }).version };
}

/** A folder to put on the PATH: the agent, and a line in a file for each time that it is started. */
export async function wrapped(
  { program }: Installed,
  agent: TriedAgent,
  { folder, diary }: Record<string, string>,
): Promise<void> {
  if (!folder || !diary) throw new Error("a wrapper needs its folder and its diary");
  await mkdir(folder, { recursive: true });
  const path = join(folder, agent.program);
  await writeFile(path, `#!/bin/sh\necho "start $*" >> '${diary}' 2>/dev/null\nexec '${program}' "$@"\n`);
  await chmod(path, 0o755);
}

/** Ours, outside of every project. */
export function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "endless8", "agents");
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
