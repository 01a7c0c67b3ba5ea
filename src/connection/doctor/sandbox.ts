import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { type Finding, finding } from "../../model/findings.ts";
import { chooseSandbox } from "../processes/sandbox/choose.ts";
import { requireStrict } from "../processes/sandbox/strict.ts";

async function hasStrict(environment: Environment): Promise<boolean> {
  return requireStrict(environment).then(
    () => true,
    () => false,
  );
}

/** Which sandbox runs would have here. A missing bubblewrap alone is nothing to complain about. */
export async function checkSandbox(environment: Environment): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "e8-"));
  try {
    const views = [{ mounts: [{ is: "empty", at: folder } as const] }];
    const { sandbox, problem } = await chooseSandbox({ folder, views, environment });
    if (problem) return finding(["sandbox", "warning"], "sandbox_none", { problem });
    const { adapter } = sandbox;
    const levels = (await hasStrict(environment)) ? "contain, strict" : "contain";
    return finding(["sandbox", "ok"], adapter === "bubblewrap" ? "sandbox_ok" : "sandbox_slower", { adapter, levels });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
