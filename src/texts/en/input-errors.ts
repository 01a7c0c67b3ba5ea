import { asTyped } from "../../model/shell-quotes.ts";
import type { ErrorTexts } from "../message-texts.ts";

type InputErrors = Pick<
  ErrorTexts,
  | "file_not_found"
  | "file_unreadable"
  | "file_is_directory"
  | "file_exists"
  | "yaml_broken"
  | "file_too_large"
  | "environment_invalid"
  | "configuration_invalid"
  | "flag_invalid"
  | "deadline_past"
  | "strict_unavailable"
  | "task_empty"
  | "task_is_file"
  | "criteria_missing"
  | "files_unmatched"
  | "files_too_many"
>;

/** What a user gives: files, settings, flags, and the task itself. */
export const enInputErrors: InputErrors = {
  file_not_found: (d) => [`${d.path} does not exist.`, "Check the path."],
  file_unreadable: (d, tell) => [
    `${d.path} cannot be read: ${tell(d.problem)}.`,
    "Check the path and its permissions.",
  ],
  file_is_directory: (d) => [
    `${d.path} is a directory, but must be a file.`,
    "Move it away, or name another file. A task goes on without what its file held; only task.json must be put back.",
  ],
  file_exists: (d) => [
    `${d.path} exists already; it was left as it is.`,
    "Name another file, or overwrite it with --force.",
  ],
  yaml_broken: (d, tell) => [`${d.file} is not valid YAML: ${tell(d.problem)}`, "Correct that place and try again."],
  file_too_large: (d, tell) => [`${d.path} is larger than ${tell(d.limit)}.`, "Check that it is the right file."],
  environment_invalid: (d, tell) => [
    `The environment variable ${d.variable}: ${tell(d.problem)}`,
    "Correct it or unset it.",
  ],
  configuration_invalid: (d, tell) => [
    `Some settings of ${tell(d.file)} cannot be used:\n${tell(d.problems)}`,
    "Correct them and try again; nothing was started.",
  ],
  flag_invalid: (d, tell) => [
    `${d.flag}: ${tell(d.problem)}`,
    `See \`${["e8", d.command ?? "run", "--help"].filter(Boolean).join(" ")}\`.`,
  ],
  deadline_past: (d) => [
    `The deadline ${d.value} has already passed.`,
    "Name a later time: --until 07:00 is the next 07:00 on this machine's clock.",
  ],
  strict_unavailable: (d, tell) => [
    `--sandbox strict cannot be had here: ${tell(d.problem)}.`,
    "It needs Linux with bubblewrap (apt install bubblewrap) and user namespaces. `e8 doctor` says what works here; --sandbox contain is weaker, and says so.",
  ],
  task_empty: ({ place }) =>
    place === undefined
      ? ["There is no task.", 'Say what you want: e8 run "Fix the failing test" --check "npm test"']
      : [`${place} task: is empty.`, "Write there what you want, in your own words."],
  task_is_file: (d) => [
    `${d.file} is a file, not a task in words.`,
    `To run the task that it describes: e8 run --config ${asTyped(d.file)}`,
  ],
  criteria_missing: ({ place }) =>
    place === undefined
      ? [
          "There are no criteria, so it would never be clear when the task is done.",
          'Add -c "what must be true" or --check "a command that must exit 0".',
        ]
      : [
          `${place} criteria: is empty, so it would never be clear when the task is done.`,
          "Write there what must be true then, or a command that must exit 0.",
        ],
  files_unmatched: (d) => [
    `No file matches ${d.files}, so nothing would be kept unchanged.`,
    "Correct the pattern: it is seen from the directory in which checks run.",
  ],
  files_too_many: (d) => [
    `${d.count} files match ${d.files}, but only ${d.limit} can be kept unchanged.`,
    "Name fewer: those that the checks rest on.",
  ],
};
