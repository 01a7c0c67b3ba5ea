import { problemLines } from "../texts/problems/problems.ts"; // until the texts of errors stand there, too
import type { DefinitionProblem } from "./flow/problem.ts";
import { asTyped } from "./shell-quotes.ts";
import { counted, type Statement, wordsIn } from "./statement.ts";

/** Which of a task's records are gone. What can still be done depends on it. */
export function lostRecords({ path, all }: { path: string; all?: boolean }): LostRecords {
  if (all) return "all";
  return (["knowledge", "spending"] as const).find((name) => path.endsWith(`${name}.jsonl`)) ?? "history";
}

export type LostRecords = "all" | "history" | "knowledge" | "spending";

const LOST: Readonly<Record<LostRecords, string>> = {
  all: "All that was recorded is lost unless you have a copy. Start the task anew.",
  history:
    "What was done and judged so far is lost unless you have a copy; the work itself is not. `e8 run --resume` goes on with it, counting its iterations from the first.",
  knowledge:
    "What was learned so far is lost unless you have a copy; all else is there. `e8 run --resume` goes on where it stopped.",
  spending:
    "What was spent on what is lost unless you have a copy; the sum is not, and the budgets still count it. `e8 run --resume` goes on where it stopped.",
};

/** Every fault a user can meet, in English: what is wrong, and what to do next. */
export const faultTexts = {
  file_not_found: (d: { path: string }) => fault(`${d.path} does not exist.`, "Check the path."),
  file_unreadable: (d: { path: string; problem: Statement }) =>
    fault(`${d.path} cannot be read: ${en(d.problem)}.`, "Check the path and its permissions."),
  file_is_directory: (d: { path: string }) =>
    fault(
      `${d.path} is a directory, but must be a file.`,
      "Move it away, or name another file. A task goes on without what its file held; only task.json must be put back.",
    ),
  file_exists: (d: { path: string }) =>
    fault(`${d.path} exists already; it was left as it is.`, "Name another file, or overwrite it with --force."),
  yaml_broken: (d: { file: string; problem: Statement }) =>
    fault(`${d.file} is not valid YAML: ${en(d.problem)}`, "Mend that place and try again."),
  file_too_large: (d: { path: string; limit: Statement }) =>
    fault(`${d.path} is larger than ${en(d.limit)}.`, "Check that it is the right file."),
  configuration_invalid: (d: { file: Statement; problems: Statement }) =>
    fault(
      `Some settings of ${en(d.file)} cannot be used:\n${en(d.problems)}`,
      "Mend them and try again; nothing was started.",
    ),
  environment_invalid: (d: { variable: string; problem: Statement }) =>
    fault(`The environment variable ${d.variable}: ${en(d.problem)}`, "Correct it or unset it."),
  flag_invalid: (d: { flag: string; problem: Statement; command?: string }) =>
    fault(`${d.flag}: ${en(d.problem)}`, `See \`${["e8", d.command ?? "run", "--help"].filter(Boolean).join(" ")}\`.`),
  task_empty: (_: object) =>
    fault("There is no task.", 'Say what you want: e8 run "Fix the failing test" --check "npm test"'),
  task_is_file: (d: { file: string }) =>
    fault(
      `${d.file} is a file, not a task in words.`,
      `To run the task that it describes: e8 run --config ${asTyped(d.file)}`,
    ),
  criteria_missing: (_: object) =>
    fault(
      "There are no criteria, so nobody could tell when the task is done.",
      'Add -c "what must be true" or --check "a command that must exit 0".',
    ),
  files_unmatched: (d: { files: string }) =>
    fault(
      `No file matches ${d.files}, so nothing would be kept unchanged.`,
      "Correct the pattern: it is seen from the directory in which checks run.",
    ),
  files_too_many: (d: { files: string; count: number; limit: number }) =>
    fault(
      `${d.count} files match ${d.files}, but only ${d.limit} can be kept unchanged.`,
      "Name fewer: those that the checks rest on.",
    ),
  project_missing: (d: { path: string }) =>
    fault(`The project directory ${d.path} does not exist.`, "Make it first, or correct --project."),
  project_not_directory: (d: { path: string }) => fault(`${d.path} is not a directory.`, "Give --project a directory."),
  no_permission: (d: { path: string }) =>
    fault(`No permission to write ${d.path}.`, "Change its owner or mode, or choose another --project."),
  disk_full: (d: { path: string }) =>
    fault(
      `${d.path} could not be written: the disk or quota is full.`,
      "Make room and try again; a run that had begun goes on with `e8 run --resume`.",
    ),
  write_failed: (d: { path: string; problem: Statement }) =>
    fault(
      `${d.path} could not be written: ${en(d.problem)}.`,
      "Check the file system; nothing recorded so far is lost.",
    ),
  /** `all`: nothing of the task is left. */
  records_lost: (d: { path: string; problem: Statement; all?: boolean }) =>
    fault(
      `${d.path} could not be written: ${en(d.problem)}.`,
      `${LOST[lostRecords(d)]} The task's worker must leave \`.e8\` alone (\`git clean -e .e8\`).`,
    ),
  agent_exists: (d: { path: string }) =>
    fault(`${d.path} exists already; it was left as it is.`, "Choose another name, or remove it first."),
  output_lost: (d: { problem: string }) =>
    fault(
      `Standard output could not be written: ${d.problem}.`,
      "Make room, or send the output elsewhere; what was recorded is not lost.",
    ),
  task_id_invalid: (d: { id: string }) =>
    fault(`${JSON.stringify(d.id)} is not a task id.`, "`e8 list` shows the ids."),
  task_not_found: (d: { id: string }) =>
    fault(`There is no task ${d.id} in this project.`, "`e8 list` shows the tasks; --project chooses another project."),
  no_tasks: (d: { directory: string }) =>
    fault(`There are no tasks in ${d.directory}.`, 'Start one: e8 run "…" --check "…"'),
  /** `lock` is given when the holder is on another machine, where nobody here can see whether it still lives. */
  task_locked: (d: { id: string; pid: number; host: string; since: string; lock?: string }) =>
    fault(
      `Task ${d.id} is being run by process ${d.pid} on ${d.host} since ${d.since}.`,
      d.lock
        ? `Wait for it, or stop it there. If ${d.host} is gone for good, delete ${d.lock}.`
        : `Wait for it, or stop it: e8 cancel ${d.id}`,
    ),
  task_taken: (d: { id: string; pid: number; host: string; since: string }) =>
    fault(
      `Task ${d.id} was taken over by process ${d.pid} on ${d.host} at ${d.since}: the lock of this run had been removed, perhaps by its worker.`,
      "This run has ended, and writes nothing into the records of the other. Its worker must leave `.e8` alone.",
    ),
  task_file_broken: (d: { path: string; problem: Statement }) =>
    fault(`${d.path} cannot be used: ${en(d.problem)}`, "Restore the file, or start the task anew."),
  task_not_running: (d: { id: string }) => fault(`Task ${d.id} is not running.`, "`e8 list` shows what is."),
  task_elsewhere: (d: { id: string; host: string }) =>
    fault(`Task ${d.id} runs on ${d.host}, not on this machine.`, "Cancel it there."),
  nothing_to_answer: (d: { id: string }) =>
    fault(
      `Task ${d.id} has no open questions.`,
      `See where it stands: e8 show ${d.id}; go on with it: e8 run --resume ${d.id}`,
    ),
  /** `count`: the open questions. */
  answered_elsewhere: (d: { id: string; pid: number; host: string; since: string; count: number }) =>
    fault(
      `Task ${d.id} is running now: process ${d.pid} on ${d.host}, since ${d.since}.`,
      d.count > 0
        ? `Its questions are asked there; answer them there, or stop it and answer here: e8 cancel ${d.id} && e8 answer ${d.id}`
        : `It has no open questions. See how far it is: e8 show ${d.id}; stop it: e8 cancel ${d.id}`,
    ),
  answers_missing: (d: { id: string; count: number }) =>
    fault(
      `Task ${d.id} has ${counted(d.count, "open question")}, and each needs an answer.`,
      `Give the answers in order: e8 answer ${d.id} -a "first" -a "second"`,
    ),
  /** `variable` is given when a model was asked over its API. */
  authentication: (d: { message: Statement; variable?: string }) =>
    fault(
      `The agent could not log in: ${en(d.message)}`,
      d.variable
        ? `Correct ${d.variable}; then \`e8 run --resume\`.`
        : "Run `claude` once and /login (`e8 doctor` says where the bundled one is), or set ANTHROPIC_API_KEY; then `e8 run --resume`.",
    ),
  api_key_missing: (d: { model: string; roles: string; variable: string }) =>
    fault(
      `${d.model} (${d.roles}) is asked over its API, which needs a key.`,
      `Set ${d.variable}, or name a model of Claude Code instead; nothing was started.`,
    ),
  proxy_refused: (d: { proxy: string; address: string; status: number }) =>
    fault(
      `The proxy ${d.proxy} does not let requests through to ${d.address} (${d.status}).`,
      d.status === 407
        ? "Put user and password into HTTPS_PROXY or HTTP_PROXY (http://user:password@host:port); then `e8 run --resume`."
        : `Have ${d.address} allowed there, or name it in NO_PROXY where it can be reached without; then \`e8 run --resume\`.`,
    ),
  billing: (d: { message: Statement }) =>
    fault(`The account cannot pay: ${en(d.message)}`, "Top up or change the account; then `e8 run --resume`."),
  agent_configuration: (d: { message: Statement }) =>
    fault(
      `The agent cannot be used: ${en(d.message)}`,
      "Mend it; then `e8 run --resume` (with `--agent-command` for another program). What only the task's own settings can mend needs a new task.",
    ),
  unreachable: (d: { message: Statement; hours: number }) =>
    fault(
      `The model could not be reached for ${d.hours} h: ${en(d.message)}`,
      "Check the network and the service's status; then `e8 run --resume`.",
    ),
  placeholder_unfilled: (d: { file: string; name: string }) =>
    fault(`${d.file} asks for {uv-${d.name}}, which nothing supplies.`, "Correct the placeholder's name."),
  /** `file` is given when the project has no tracker: what would be one. */
  tracker_failed: (d: { what: Statement; problem: Statement; file?: string }) =>
    fault(
      `The issue tracker could not ${en(d.what)}: ${en(d.problem)}`,
      d.file
        ? `Write the issue to ${d.file}, or see to a git remote named origin and GITHUB_TOKEN; then \`e8 run --resume\`.`
        : "Check the network, the token (GITHUB_TOKEN) and the number; then `e8 run --resume`.",
    ),
  module_broken: (d: { path: string; problem: Statement }) =>
    fault(`${d.path} cannot be used as a module: ${en(d.problem)}`, "It must be an ES module with a default export."),
  agent_not_found: (d: { name: string; directory: string; known: string }) =>
    fault(
      `There is no agent ${d.name} in ${d.directory}.`,
      d.known ? `There are: ${d.known}.` : "Make one: e8 agent init <name>",
    ),
  no_agents: (d: { directory: string }) =>
    fault(`There are no agents in ${d.directory}.`, "Make one: e8 agent init <name>"),
  definition_invalid: (d: { name: string; problems: readonly DefinitionProblem[] }) =>
    fault(
      `The agent ${d.name} cannot be run:\n${problemLines(d.problems, "en")}`,
      `See all of it: e8 agent validate ${d.name}`,
    ),
  parameter_invalid: (d: { flag: string; problem: Statement; agent?: string }) =>
    fault(`${d.flag}: ${en(d.problem)}`, `See \`e8 agent run ${d.agent ?? "<name>"} --help\`.`),
  flow_failed: (d: { code: string; step: string; iteration: number; problem: Statement; recoverable: boolean }) =>
    fault(
      `${d.code} at step ${d.step} in iteration ${d.iteration}: ${en(d.problem)}`,
      d.code === "FAILED_BOUNDARY_HOOK"
        ? "See to the issue: .e8/issues/<number>.md, or a git remote named origin and GITHUB_TOKEN. Then `e8 run --resume`: it tries this again, not the work."
        : "Mend the agent's definition; `e8 agent validate` helps.",
    ),
  raw_log_off: (d: { id: string }) =>
    fault(
      `Task ${d.id} keeps no raw logs.`,
      "Start the next with `e8 run --raw-log`, or put `logging: {raw_log: true}` into task.yaml or endless8.yaml; `e8 show` has the summaries.",
    ),
  raw_log_empty: (d: { id: string }) =>
    fault(`Nothing of task ${d.id} has been logged.`, `While it runs, \`e8 logs ${d.id} -f\` waits for it.`),
  iteration_not_logged: (d: { id: string; iteration: number; known: string }) =>
    fault(`There is no log of iteration ${d.iteration} of task ${d.id}.`, `There are logs of: ${d.known}.`),
  query_failed: (d: { problem: string }) =>
    fault(`The query cannot be answered: ${d.problem}`, "`e8 query` without SQL lists the views and their columns."),
  query_not_reading: (_: object) =>
    fault(
      "Only questions can be asked here: the statement would change something.",
      "Begin with SELECT, FROM or WITH.",
    ),
  query_not_one: (_: object) => fault("That is not one SQL statement.", "Ask one question at a time."),
  story_broken: (d: { file: string; problems: Statement }) =>
    fault(`The story ${d.file} cannot be played:\n${en(d.problems)}`, "docs/scripted-model.md shows the form."),
  directory_gone: (_: object) =>
    fault("The directory you are in no longer exists.", "Go to another one: cd <directory>"),
  story_missing: (d: { id: string; path: string }) =>
    fault(
      `Task ${d.id} is played from the story ${d.path}, which is not there any more. No model was asked.`,
      `Put the story back and go on with \`e8 run --resume ${d.id}\`; for a real model, begin anew without --script.`,
    ),
  internal: (d: { message: string }) =>
    fault(
      `Something went wrong inside endless8: ${d.message}`,
      "Run again with ENDLESS8_LOG_LEVEL=debug and report what it prints.",
    ),
} as const;

function fault(message: string, hint: string): { message: string; hint: string } {
  return { message, hint };
}

function en(wording: Statement): string {
  return wordsIn("en", wording);
}

export type FaultCode = keyof typeof faultTexts;
export type FaultDetails<C extends FaultCode> = Parameters<(typeof faultTexts)[C]>[0];

/** The one error class that users meet. Anything else that reaches the CLI is a bug. */
export class E8Error<C extends FaultCode = FaultCode> extends Error {
  readonly code: C;
  readonly details: FaultDetails<C>;
  readonly hint: string;

  constructor(code: C, details: FaultDetails<C>, options?: ErrorOptions) {
    const text = (faultTexts[code] as (d: FaultDetails<C>) => { message: string; hint: string })(details);
    super(text.message, options);
    this.name = "E8Error";
    this.code = code;
    this.details = details;
    this.hint = text.hint;
  }
}

/** Turns anything thrown into an E8Error, so that every surface has one kind to show. */
export function asE8Error(error: unknown): E8Error {
  if (error instanceof E8Error) return error;
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return new E8Error("directory_gone", {}, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new E8Error("internal", { message }, { cause: error });
}
