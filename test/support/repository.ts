import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "./temporary.ts";

const IDENTITY = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];

export async function git(directory: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)("git", [...IDENTITY, ...args], { cwd: directory })).stdout;
}

export async function write(directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}

/** A git repository with one commit of these files. */
export async function repository(files: Record<string, string> = {}): Promise<string> {
  const directory = await temporaryDirectory();
  await git(directory, "init", "-q");
  await write(directory, files);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "--allow-empty", "-m", "first");
  return directory;
}
