import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stateDirectory } from "./state-directory.ts";
import { errorCode, writeFault } from "./stores/files/faults.ts";

const BYTES = 32;

/** A random key of this user on this machine, made when it is first asked for. */
export async function ownKey(name: string): Promise<Buffer> {
  const path = join(stateDirectory(), name);
  try {
    return await readKey(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw writeFault(error, path);
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, randomBytes(BYTES).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw writeFault(error, path); // another process has just made it
  }
  return readKey(path);
}

async function readKey(path: string): Promise<Buffer> {
  return Buffer.from(await readFile(path, "utf8"), "hex");
}
