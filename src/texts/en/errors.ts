import { cancelling, candidateLines, counted, type ErrorTexts, numbered } from "../message-texts.ts";
import { enAgentErrors } from "./agent-errors.ts";
import { enDashboardErrors } from "./dashboard.ts";
import { enDatabaseErrors } from "./databases.ts";
import { enDoorsErrors } from "./doors.ts";
import { enFleetErrors } from "./fleet-errors.ts";
import { enFlowErrors } from "./flow-errors.ts";
import { enInputErrors } from "./input-errors.ts";
import { enModelErrors } from "./model-errors.ts";
import { enQueueErrors } from "./queue-errors.ts";
import { enTamperingErrors } from "./tampering.ts";

const ALL_LOST = "All records are lost unless you have a copy. Start the task anew.";
const COPY_KEPT =
  "A copy of the records is kept outside the project. `e8 run --resume` puts them back and goes on where it stopped.";

export const enErrors: ErrorTexts = {
  ...enDashboardErrors,
  ...enDatabaseErrors,
  ...enDoorsErrors,
  ...enQueueErrors,
  ...enFleetErrors,
  ...enInputErrors,
  ...enFlowErrors,
  ...enTamperingErrors,
  ...enAgentErrors,
  ...enModelErrors,
  project_missing: (d) => [`The project directory ${d.path} does not exist.`, "Make it first, or correct --project."],
  project_not_directory: (d) => [`${d.path} is not a directory.`, "Give --project a directory."],
  no_permission: (d) => [`No permission to write ${d.path}.`, "Change its owner or mode, or choose another --project."],
  disk_full: (d) => [
    `${d.path} could not be written: the disk or quota is full.`,
    "Make room and try again; a run that had begun goes on with `e8 run --resume`.",
  ],
  write_failed: (d, tell) => [
    `${d.path} could not be written: ${tell(d.problem)}.`,
    "Check the file system; nothing recorded so far is lost.",
  ],
  records_lost: (d, tell) => [
    `${d.path} could not be written: ${tell(d.problem)}.`,
    `${d.all ? ALL_LOST : COPY_KEPT} The task's worker must leave \`.e8\` alone (\`git clean -e .e8\`).`,
  ],
  output_lost: (d) => [
    `Standard output could not be written: ${d.problem}.`,
    "Make room, or send the output elsewhere; the records are not lost.",
  ],
  task_id_invalid: (d) => [
    `${JSON.stringify(d.id)} is not a task id.`,
    "`e8 list` shows the ids. The beginning or end of one will do, and `latest`.",
  ],
  task_not_found: (d) => [
    `There is no task ${d.id} in this project.`,
    "`e8 list` shows the tasks; --project chooses another project.",
  ],
  task_ambiguous: (d) => [
    `${d.id === undefined ? "Several tasks are possible" : `${d.id} fits several tasks`}:\n${candidateLines(d.candidates, (count) => `… and ${counted(count, "earlier one")}`)}`,
    "Name one by its id, or by a beginning or end that no other id has.",
  ],
  nothing_running: (d) => [`No task of ${d.directory} is running.`, "`e8 list` shows the tasks."],
  nothing_asked: (d) => [`No task of ${d.directory} waits for an answer.`, "`e8 list` shows the tasks."],
  no_tasks: (d) => [`There are no tasks in ${d.directory}.`, 'Start one: e8 run "…" --check "…"'],
  backlog_taken: (d, tell) => [
    `The backlog of this project is worked on already: ${tell(d.who)}, since ${d.since}.`,
    d.lock
      ? `Wait until it has ended. If that machine is gone, remove ${d.lock}.`
      : "Wait until it has ended, or stop it with Ctrl-C.",
  ],
  handover_impossible: (d, tell) => [
    `The handoff ${d.id} of workflow.json cannot be written: ${tell(d.problem)}.`,
    "Correct it, or the agent that it takes its values from; then `e8 orchestrate --resume`.",
  ],
  task_locked: (d, tell) => [
    `Task ${d.id} is being run by ${tell(d.who)} since ${d.since}.`,
    d.lock
      ? `Wait for it, or stop it: e8 cancel ${d.id}. If that machine is gone for good, delete ${d.lock}.`
      : `Wait for it, or stop it: e8 cancel ${d.id}`,
  ],
  place_taken: (d, tell) => [
    `Task ${d.id} is already at work in ${d.directory}: ${tell(d.who)}, since ${d.since}.`,
    [
      `Wait for it, or stop it: ${cancelling(d)}.`,
      "To work at the same time, use a copy of the directory, such as a git worktree; --same-place lets a second run work here.",
      ...(d.lock ? [`If that machine is gone for good, delete ${d.lock}.`] : []),
    ].join(" "),
  ],
  branch_impossible: (d, tell) => [
    `A branch of its own cannot be made: ${tell(d.problem)}.`,
    "Correct that, or run without --worktree: then the work happens in your checkout.",
  ],
  clean_room_missing: (d, tell) => [
    `\`--proof clean\` needs a clean checkout, and none can be made: ${tell(d.problem)}.`,
    "Put that right and go on with `e8 run --resume`; or add `--proof auto`, which proves in the workspace where it has to, and says so.",
  ],
  worktree_setup_failed: (d, tell) => [
    `The worktree could not be set up: \`${d.command}\`: ${tell(d.problem)}.\n${d.output.trimEnd()}`,
    "Correct worktree.setup, then go on with `e8 run --resume`.",
  ],
  branch_taken: (d, tell) => [
    `Task ${d.id} works on branch ${d.branch}: ${tell(d.who)}, since ${d.since}.`,
    d.lock === undefined
      ? `Wait for it, or end it: e8 cancel ${d.id}`
      : `Wait for it. If it is no longer running there, remove ${d.lock}.`,
  ],
  task_taken: (d, tell) =>
    d.has_lapsed
      ? [
          `Task ${d.id} is no longer this run's, which had shown no life for longer than its lease${d.since === "" ? "" : `: ${tell(d.who)} has had it since ${d.since}`}.`,
          "This run has ended, and writes nothing into the records of the other. A longer lease=… in the store's URL bears longer pauses.",
        ]
      : [
          `Task ${d.id} was taken over by ${tell(d.who)} at ${d.since}: the lock of this run had been removed, perhaps by its worker.`,
          "This run has ended, and writes nothing into the records of the other. Its worker must leave `.e8` alone.",
        ],
  task_file_broken: (d, tell) => [
    `${d.path} cannot be used: ${tell(d.problem)}`,
    "Restore the file, or start the task anew.",
  ],
  task_not_running: (d) => [`Task ${d.id} is not running.`, "`e8 list` shows what is."],
  task_not_paused: (d) => [`Task ${d.id} is running; it is not paused.`, `Watch it: e8 watch ${d.id}`],
  task_is_running: (d) => [`Task ${d.id} is running.`, `Stop it first: e8 cancel ${d.id}`],
  snapshot_missing: (d) => [
    `Task ${d.id} has no snapshot of ${d.iteration === 0 ? "its start" : `iteration ${d.iteration}`}.`,
    `\`e8 show ${d.id}\` lists its iterations; \`e8 clean\` removes snapshots of ended tasks.`,
  ],
  range_invalid: (d) => [`"${d.range}" is not a range of iterations.`, "Write 2, 1..3 or 1.. (0 is the start)."],
  rollback_failed: (d, tell) => [
    `The files could not be put back: ${tell(d.problem)}.`,
    "Move what is in the way out of the project, and try again.",
  ],
  task_completed: (d) => [
    `Task ${d.id} is completed: no worker will begin on it any more.`,
    'Start a new task for what is left: e8 run "…"',
  ],
  note_empty: ["There is no note to pass on.", 'Say it behind the command: e8 tell "Leave the old API as it is"'],
  note_too_long: (d) => [
    `The note has ${d.length} characters; ${d.limit} fit into a prompt.`,
    "Write the rest to a file of the project and name that file in the note.",
  ],
  nothing_to_answer: (d) => [
    `Task ${d.id} has no open questions.`,
    `See where it stands: e8 show ${d.id}; go on with it: e8 run --resume ${d.id}`,
  ],
  answered_elsewhere: (d, tell) => [
    `Task ${d.id} is running now: ${tell(d.who)}, since ${d.since}.`,
    d.count > 0
      ? `Its questions are asked there; answer them there, or stop it and answer here: e8 cancel ${d.id} && e8 answer ${d.id}`
      : `It has no open questions. See how far it is: e8 show ${d.id}; stop it: e8 cancel ${d.id}`,
  ],
  answer_not_offered: (d) => [
    `"${d.question}" has no suggested answer ${d.answer}. The choices are:\n${numbered(d.choices)}`,
    "Give the number of one of them, or an answer in words.",
  ],
  answers_missing: (d) => [
    `Task ${d.id} has ${counted(d.count, "open question")}, and each needs an answer.`,
    `Give the answers in order: e8 answer ${d.id} -a "first" -a "second"`,
  ],
  placeholder_unfilled: (d) => [
    `${d.file} asks for {uv-${d.name}}, which nothing supplies.`,
    "Correct the placeholder's name.",
  ],
  tracker_failed: (d, tell) => [
    `The issue tracker could not ${tell(d.what)}: ${tell(d.problem)}`,
    d.file
      ? `Write the issue to ${d.file}, or see to a git remote named origin and GITHUB_TOKEN; then \`${d.again ?? "e8 run --resume"}\`.`
      : `Check the network, the token (GITHUB_TOKEN, or \`gh auth login\`) and the number; then \`${d.again ?? "e8 run --resume"}\`.`,
  ],
  raw_log_off: (d) => [
    `Task ${d.id} keeps no raw logs.`,
    "Start the next with `e8 run --raw-log`, or put `logging: {raw_log: true}` into task.yaml or endless8.yaml; `e8 show` has the summaries.",
  ],
  raw_log_empty: (d) => [
    `Nothing of task ${d.id} has been logged.`,
    `While it runs, \`e8 logs ${d.id} -f\` waits for it.`,
  ],
  iteration_not_logged: (d) => [
    `There is no log of iteration ${d.iteration} of task ${d.id}.`,
    `There are logs of: ${d.known}.`,
  ],
  events_missing: (d) => [
    `No events of task ${d.id} are stored: an earlier version ran it.`,
    `See what it did: e8 show ${d.id}`,
  ],
  query_failed: (d) => [
    `The query cannot be answered: ${d.problem}`,
    "`e8 query` without SQL lists the views and their columns.",
  ],
  query_not_reading: [
    "The statement would change something; queries can only read.",
    "Begin with SELECT, FROM or WITH.",
  ],
  query_not_one: ["That is not exactly one SQL statement.", "Ask one question at a time."],
  story_broken: (d, tell) => [
    `The story ${d.file} cannot be played:\n${tell(d.problems)}`,
    "docs/scripted-model.md shows the form.",
  ],
  directory_gone: ["The directory you are in no longer exists.", "Go to another one: cd <directory>"],
  story_missing: (d) => [
    `Task ${d.id} is played from the story ${d.path}, which is not there any more. No model was asked.`,
    `Put the story back and go on with \`e8 run --resume ${d.id}\`; for a real model, begin anew without --script.`,
  ],
  internal: (d) => [
    `Something went wrong inside endless8: ${d.message}`,
    "Run again with ENDLESS8_LOG_LEVEL=debug and report what it prints.",
  ],
};
