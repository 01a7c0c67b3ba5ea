import { asTyped } from "../../model/shell-quotes.ts";
import { changeLines, counted, type ErrorTexts, type NoticeTexts } from "../message-texts.ts";

type ErrorCodes = "task_unknown" | "changes_unaccepted" | "task_copy_lost" | "fork_of_flow" | "hidden_check_lost";
type NoticeCodes =
  | "forked"
  | "records_rewritten"
  | "task_changed"
  | "task_change_accepted"
  | "task_in_future"
  | "task_unverified"
  | "vault_unwritable";

const more = (count: number) => `and ${count} more`;

/** About what a worker may have changed between two runs. */
export const enTamperingErrors: Pick<ErrorTexts, ErrorCodes> = {
  task_unknown: (d) => [
    `endless8 did not begin task ${d.id} here: a worker may have written it, or it was copied from elsewhere.`,
    `Look at it with \`e8 show ${d.id}\`. If it is yours: e8 run --resume ${d.id} --accept-changes. If not: e8 rm ${d.id}`,
  ],
  changes_unaccepted: (d) => [
    `While task ${d.id} ran, perhaps by its worker, files were changed that this run would use:${changeLines(d.changes, more)}`,
    `If that is what you want, add --accept-changes: it is asked once. If not, put them back: git checkout HEAD -- ${d.files.map(asTyped).join(" ")}`,
  ],
  task_copy_lost: (d) => [
    `Task ${d.id} was begun here, but the copy of its records outside the project is gone: whether they were changed cannot be told.`,
    `Look at it with \`e8 show ${d.id}\`. To take its records as they are: e8 run --resume ${d.id} --accept-changes`,
  ],
  fork_of_flow: (d) => [
    `Task ${d.id} is an agent made of steps: what its steps did outside the project cannot be taken back, so it cannot be forked.`,
    "Start it anew with `e8 agent run`.",
  ],
  hidden_check_lost: (d) => [
    `Task ${d.id} has a hidden check whose command is not known here: it is kept outside the project, on the machine where the task began.`,
    "Resume the task there, or start it anew with its task file.",
  ],
};

export const enTamperingNotices: Pick<NoticeTexts, NoticeCodes> = {
  records_rewritten: (d) =>
    `${d.file} was changed since the last run, and not by endless8 (${counted(d.added, "record")} added, ${d.missing} changed or removed). The records are again as they were; the changed file is beside them.`,
  task_changed: (d) =>
    `task.json was changed since the last run, and not by endless8. The task goes on as it was:${changeLines(d.changes, more)}\nTo take the changes instead: copy task.json.changed over task.json, then e8 run --resume ${d.id} --accept-changes`,
  task_change_accepted: (d) => `You have accepted these changes of task.json:${changeLines(d.changes, more)}`,
  forked: (d) =>
    `Goes on from task ${d.id}, as it was ${d.iteration === 0 ? "at its start" : `after iteration ${d.iteration}`}.${d.left_out ? ` ${enLeftOut(d.left_out)}` : ""} The files that were here before are kept; to come back: e8 rollback ${d.id} --to ${d.before}`,
  task_in_future: (d) =>
    `Task ${d.id} is dated in the future: it is not taken for the latest. If it is not yours: e8 rm ${d.id}`,
  task_unverified: (d) =>
    `Whether the records of task ${d.id} were changed since the last run cannot be told: it began with an earlier version, on another machine or in another home. From now on it can.`,
  vault_unwritable: (d, tell) =>
    `${d.path} cannot be written: ${tell(d.problem)}. If this run is killed, the next one cannot tell what a worker has changed in its records.`,
};

/** Files that neither a rollback nor a fork has changed. */
export function enLeftOut({ count, files }: { count: number; files: readonly string[] }): string {
  const isOne = count === 1;
  const named = `${files.join(", ")}${count > files.length ? " …" : ""}`;
  return `${isOne ? "1 file is" : `${count} files are`} not in snapshots, because ${isOne ? "it is too large or one of too many" : "they are too large or too many"}, and ${isOne ? "stays as it is" : "stay as they are"}: ${named}.`;
}
