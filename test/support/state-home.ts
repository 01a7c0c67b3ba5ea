import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests that use the stores in their own process keep nothing in the home of whoever runs them. */
export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "e8-state-"));
  process.env.XDG_STATE_HOME = directory;
  return () => rm(directory, { recursive: true, force: true, maxRetries: 10 });
}
