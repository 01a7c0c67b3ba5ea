import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SavedOutput, WorkerOutput } from "../../ports/open-task.ts";
import { flushFile, replaceUnflushed, syncDirectory } from "./durable.ts";
import { errorCode, readFault, writeFault } from "./faults.ts";
import { iterationNumber, OWN_DIRECTORY, seenFrom, type TaskPlace, taskPaths } from "./task-paths.ts";

/** Each worker's text is `outputs/NNN.md`; the last one that was handed in is also `output.md`. */
export async function saveOutput(
  { project, path }: TaskPlace,
  { iteration, text, is_handed_in }: WorkerOutput,
): Promise<SavedOutput> {
  const { output } = taskPaths(path);
  const own = outputOf(path, iteration);
  await makeDirectory(dirname(own));
  const files = is_handed_in ? [own, output] : [own];
  for (const file of files) await replaceUnflushed(file, text);
  const stored = Promise.all(files.map(flushFile)).then(() => {});
  stored.catch(() => {}); // thrown where it is awaited
  return { path: seenFrom(project, own), stored, ...(is_handed_in && { name: seenFrom(project, output) }) };
}

export async function readOutput({ path }: TaskPlace, iteration: number | undefined): Promise<string> {
  const file = iteration === undefined ? taskPaths(path).output : outputOf(path, iteration);
  return readFile(file, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return "";
    throw readFault(error, file);
  });
}

export function outputOf(task: string, iteration: number): string {
  return join(taskPaths(task).outputs, `${iterationNumber(iteration)}.md`);
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: OWN_DIRECTORY });
    await syncDirectory(dirname(path));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw writeFault(error, path);
  }
}
