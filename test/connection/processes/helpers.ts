import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { processTable } from "../../../src/connection/processes/process-table.ts";

/** Waits until it is true; fails the test when it never is. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
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
