import { directoryProblem } from "../connection/processes/programs.ts";
import { digestsOf } from "../connection/workspace/digests.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import { listed } from "../model/message.ts";

interface ResolvedSettings {
  configuration: Configuration;
  /** Where each value came from, by its dotted path. */
  sources: Readonly<Record<string, string>>;
}

/** Throws when a run could not begin: there is no directory to work in, or no files match `unchanged`. */
export async function requirePlace({ configuration, sources }: ResolvedSettings): Promise<void> {
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
