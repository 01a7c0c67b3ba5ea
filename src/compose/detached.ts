import { absolute } from "../connection/files.ts";
import { type DetachedStart, startDetached } from "../connection/processes/detached-run.ts";
import { E8Error } from "../model/errors.ts";
import type { Language } from "../model/language.ts";
import type { TaskId } from "../model/task.ts";
import { storeAddress } from "./choose-store.ts";

export interface DetachedRun extends Pick<DetachedStart, "environment"> {
  project: string;
  /**
   * A command that runs a task: `["run", "-"]`, `["resume", id]`, `["answer", id]`, with its flags. Values that come from elsewhere are
   * written as `--flag=value`, so that none of them can be taken for a flag.
   */
  words: readonly string[];
  /** What `-` reads. */
  input?: string | undefined;
  language?: Language | undefined;
}

/**
 * Starts a run as a process of its own, which goes on when this one has ended. Resolves when the run has begun, and throws
 * `run_not_started` with what kept it from beginning.
 */
export async function startDetachedRun({
  project,
  words,
  input = "",
  language = "en",
  environment,
}: DetachedRun): Promise<TaskId> {
  const directory = absolute(project);
  const common = [`--project=${directory}`, "--json-events", `--lang=${language}`];
  const store = storeAddress(directory); // not a word of the command line: every program of the machine can read those
  const begun = await startDetached({
    words: [...words, ...common],
    directory,
    input,
    environment: store === undefined ? environment : { ...environment, ENDLESS8_STORE: store },
  });
  if ("said" in begun) throw new E8Error("run_not_started", { said: begun.said });
  return begun.task_id;
}
