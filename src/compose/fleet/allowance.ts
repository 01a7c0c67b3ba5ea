import { type AllowanceFlags, readAllowance } from "../../configuration/fleet/read-allowance.ts";
import { absolute, readTextFile } from "../../connection/files.ts";
import type { Allowance } from "../../model/allowance.ts";

/** What this machine does for a fleet: of its own file, where it has one, and of the command line. */
export async function allowanceIn(path: string | undefined, flags: AllowanceFlags): Promise<Allowance> {
  return readAllowance(path === undefined ? undefined : await readTextFile(absolute(path)), flags);
}
