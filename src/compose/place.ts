import { directoryProblem } from "../connection/commands/directories.ts";
import { digestsOf } from "../connection/workspace/digests.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import { listed } from "../model/message.ts";

interface Settled {
  configuration: Configuration;
  /** Where each value came from, by its dotted path. */
  sources: Readonly<Record<string, string>>;
}

/** Throws what would end a run before anybody works: no directory to work in, or no files to be kept unchanged. */
export async function requirePlace({ configuration, sources }: Settled): Promise<void> {
  const { working_directory, criteria } = configuration;
  const problem = directoryProblem(working_directory);
  if (problem) {
    const source = sources.working_directory ?? "";
    const problems = listed([`  ${source} working_directory: `, problem], "");
    throw new E8Error("configuration_invalid", { file: source.replace(/:\d+$/, ""), problems });
  }
  for (const criterion of criteria) {
    if (criterion.type !== "unchanged") continue;
    const { files } = criterion;
    if (Object.keys(await digestsOf(working_directory, files)).length === 0)
      throw new E8Error("files_unmatched", { files: files.join(", ") });
  }
}
