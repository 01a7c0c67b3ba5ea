import { Allowance } from "../../model/allowance.ts";
import { E8Error } from "../../model/errors.ts";
import { listed } from "../../model/message.ts";
import type { TextFile } from "../../model/text-file.ts";
import { readYaml } from "../task/read-yaml.ts";

/** The lists of the command line go on those of the file. */
export interface AllowanceFlags {
  repositories?: readonly string[] | undefined;
  commands?: readonly string[] | undefined;
}

/** What a machine does for a fleet: of its own file, and of the command line. Throws `configuration_invalid`. */
export function readAllowance(file: TextFile | undefined, flags: AllowanceFlags = {}): Allowance {
  const parsed = Allowance.safeParse(file ? readYaml(file).data : {});
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message: words }) => `${path.join(".")}: ${words}`);
    throw new E8Error("configuration_invalid", { file: file?.name ?? "", problems: listed(problems, "\n") });
  }
  const { repositories, commands, ...rest } = parsed.data;
  const { repositories: more = [], commands: others = [] } = flags;
  const all = [...(commands ?? []), ...others];
  const isListed = commands !== undefined || others.length > 0;
  return { ...rest, repositories: [...repositories, ...more], ...(isListed && { commands: all }) };
}
