import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonIn } from "../../../model/json.ts";
import { isAlive, ownIdentity, ProcessIdentity } from "../../stores/files/process-identity.ts";

const OWNER = "owner.json";

/** Says in a directory that it is of use as long as this process lives. */
export async function claimDirectory(directory: string): Promise<void> {
  await writeFile(join(directory, OWNER), JSON.stringify(await ownIdentity()));
}

const looked = new Map<string, Promise<void>>();

/**
 * Removes, once in the life of this process, what killed ones could not remove themselves: their claimed directories, which may hold
 * keys. Never throws. Other users' directories are left alone: root could be led out of them by their links.
 */
export function removeAbandoned(parent: string, prefix: string): Promise<void> {
  const pattern = join(parent, prefix);
  const looking = looked.get(pattern) ?? removeAll(parent, prefix).catch(() => {});
  looked.set(pattern, looking);
  return looking;
}

async function removeAll(parent: string, prefix: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const directory = join(parent, name);
    if (await isAbandoned(directory)) await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

async function isAbandoned(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined);
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return false;
  const owner = ProcessIdentity.safeParse(jsonIn(await readFile(join(directory, OWNER), "utf8").catch(() => ""))).data;
  return owner !== undefined && !(await isAlive(owner));
}
