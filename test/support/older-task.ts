import { rm } from "node:fs/promises";
import { join } from "node:path";
import { projectState } from "../../src/connection/state-directory.ts";

/** The same for all projects of a test's home. */
export async function forgetAllCopies({ home }: { home: string }): Promise<void> {
  await rm(join(home, ".local/state/endless8"), { recursive: true, force: true });
}

/** Makes the project's tasks those of an earlier version, another machine or another home: nothing is kept of them. */
export async function forgetCopies(project: string): Promise<void> {
  await rm(projectState(project), { recursive: true, force: true });
}
