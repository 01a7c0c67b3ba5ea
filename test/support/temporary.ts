import { mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { onTestFinished } from "vitest";

/** A directory for one test, with a space and letters beyond ASCII in its path. */
export async function temporaryDirectory(place = tmpdir()): Promise<string> {
  const directory = await realpath(await mkdtemp(join(place, "e8 テスト é-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

/** Where temporary files are that other users than root can reach: those of the tests may lie below a directory of mode 0700. */
export async function openPlace(): Promise<string> {
  for (const place of process.getuid?.() === 0 ? [tmpdir(), "/tmp", "/var/tmp"] : [])
    if (await isOpen(place)) return place;
  return tmpdir();
}

async function isOpen(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  const isEntered = found?.isDirectory() === true && (found.mode & 0o001) !== 0;
  return isEntered && (dirname(place) === place || isOpen(dirname(place)));
}
