import { existsSync, renameSync, truncateSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { publicTask, withHiddenCommands } from "../../../../model/hidden.ts";
import { leafChanges } from "../../../../model/leaf-changes.ts";
import { notice } from "../../../../model/notices.ts";
import type { Task } from "../../../../model/task.ts";
import type { ReportNotice } from "../../../ports/task-store.ts";
import { replaceFile } from "../durable.ts";
import { errorCode, readFault, writeFault } from "../faults.ts";
import { NEWLINE } from "../json-lines.ts";
import { type TaskPlace, taskPaths } from "../task-paths.ts";
import { isDirectory, SET_ASIDE, taskText, textIn } from "../task-text.ts";
import type { VaultPaths } from "./registry.ts";
import { readVaultTask, textDigest, writeVaultTask } from "./vault-task.ts";

interface Comparison {
  acceptChanges: boolean;
  report: ReportNotice;
  found: () => Promise<Task>;
}

/** Writes the task back as it was, and names what was changed; or takes the changes. */
export async function compareTask(
  { id, path: directory }: TaskPlace,
  vault: VaultPaths,
  { acceptChanges, report, found }: Comparison,
): Promise<void> {
  const { task: path } = taskPaths(directory);
  const { task, before, now } = await readVaultTask(vault.task);
  const text = textIn(path);
  const digest = text === undefined ? undefined : textDigest(text);
  if (digest === now) return;
  const isOlder = digest !== undefined && digest === before; // a run was killed between the two writes
  const present = isOlder ? undefined : await found().catch(() => undefined);
  const changes = present ? leafChanges(publicTask(task), present) : [];
  if (acceptChanges && present) {
    await writeVaultTask(vault.task, withHiddenCommands(present, task), text);
    if (changes.length > 0) report(notice("task_change_accepted", { id, changes }));
    return;
  }
  if (changes.length > 0) setAside(path);
  if (isDirectory(path)) await rm(path, { recursive: true });
  await writeVaultTask(vault.task, task, text);
  await replaceFile(path, taskText(publicTask(task)));
  if (changes.length > 0) report(notice("task_changed", { id, changes }));
  else if (!isOlder && !present) report(notice("records_restored", { file: path }));
}

/** Makes each file of records what its copy is. */
export async function compareJournals(place: TaskPlace, vault: VaultPaths, report: ReportNotice): Promise<void> {
  const own = taskPaths(place.path);
  for (const name of ["history", "knowledge", "ledger"] as const) await compareJournal(own[name], vault[name], report);
}

async function compareJournal(path: string, copyPath: string, report: ReportNotice): Promise<void> {
  const [found, copied] = await Promise.all([bytesOf(path), bytesOf(copyPath)]);
  const copy = wholeLines(copied);
  if (copy.length < copied.length) truncateSync(copyPath, copy.length); // killed while writing it, before the file itself
  if (found.equals(copy)) return;
  const whole = wholeLines(found);
  const [rest, torn] = [copy.subarray(whole.length), found.subarray(whole.length)];
  const isBehind = copy.subarray(0, whole.length).equals(whole) && rest.subarray(0, torn.length).equals(torn);
  const isKilled = isBehind && rest.indexOf(NEWLINE) === rest.length - 1;
  const isTorn = whole.equals(copy);
  if (!isKilled && !isTorn) setAside(path);
  await replaceFile(path, copy.toString("utf8"));
  if (isTorn) report(notice("torn_line", { file: path, bytes: torn.length }));
  else if (!isKilled) report(notice("records_rewritten", { file: path, ...differenceOf(copy, found) }));
}

/** How many records were added, and how many changed or removed. */
function differenceOf(copy: Buffer, found: Buffer): { added: number; missing: number } {
  const [before, now] = [copy, found].map((bytes) => bytes.toString("utf8").split("\n").filter(Boolean)) as [
    string[],
    string[],
  ];
  const [known, present] = [new Set(before), new Set(now)];
  return {
    added: now.filter((line) => !known.has(line)).length,
    missing: before.filter((line) => !present.has(line)).length,
  };
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return existsSync(path) ? await readFile(path) : Buffer.alloc(0);
  } catch (error) {
    if (errorCode(error) === "EISDIR") return Buffer.alloc(0);
    throw readFault(error, path);
  }
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
}

function setAside(path: string): void {
  try {
    if (existsSync(path) && !isDirectory(path)) renameSync(path, `${path}${SET_ASIDE}`);
  } catch (error) {
    throw writeFault(error, path);
  }
}
