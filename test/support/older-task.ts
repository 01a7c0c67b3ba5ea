import { rm } from "node:fs/promises";
import { projectState } from "../../src/connection/state-directory.ts";

/** Makes the project's tasks those of an earlier version, another machine or another home: nothing is kept of them. */
export async function forgetCopies(project: string): Promise<void> {
  await rm(projectState(project), { recursive: true, force: true });
}
