import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { processTable } from "../../../src/connection/commands/processes.ts";

/** A directory with a space and non-ASCII letters in its name, gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "e8 テスト-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/** Waits until it is true; fails the test when it never is. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error(`never came true: ${what}`);
}

/** The process id a test program wrote into a file. */
export async function pidIn(file: string): Promise<number> {
  await eventually(`${file} holds a pid`, async () => existsSync(file) && /^\d+\n/.test(await readFile(file, "utf8")));
  return Number(await readFile(file, "utf8"));
}

export function isAlive(pid: number): boolean {
  return processTable()
    .rows()
    .some((row) => row.pid === pid);
}

export const never = new AbortController().signal;
