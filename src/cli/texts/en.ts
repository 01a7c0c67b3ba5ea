import { faultTexts } from "../../model/errors.ts";
import type { Phase } from "../../model/events.ts";
import { noticeTexts } from "../../model/notices.ts";
import type { LoopStatus, StopReason } from "../../model/records.ts";

const status: Record<LoopStatus, string> = {
  completed: "completed",
  max_iterations: "not completed",
  budget_exceeded: "not completed",
  stalled: "not completed",
  error: "error",
  cancelled: "cancelled",
  clarification_needed: "questions open",
};

const stop: Record<StopReason, string> = {
  criteria_met: "every criterion is met",
  max_iterations: "the iterations are used up",
  budget_cost: "the cost budget is used up",
  budget_tokens: "the token budget is used up",
  budget_time: "the time budget is used up",
  stalled: "no progress any more: nothing changed and the same criteria failed in the same way",
  error: "an error ended the run",
  cancelled: "it was cancelled",
  clarification_needed: "the task needs answers first",
};

const phase: Record<Phase, string> = {
  intake: "looking at the task and its criteria",
  execute: "working",
  summarize: "summarizing",
  check: "running the checks",
  judge: "judging",
};

export const en = {
  faults: faultTexts,
  notices: noticeTexts,
  status,
  stop,
  phase,
  error: "error",
  nextStep: "next",
  warning: "note",
  task: "task",
  runStart: (id: string) => `task ${id}`,
  resumed: (id: string, iterations: number) => `task ${id}, going on after iteration ${iterations}`,
  iteration: (number: number, of: number) => `iteration ${number} of ${of}`,
  step: (id: string, name: string) => `step ${id} (${name})`,
  boundary: (issue: number, action: string) => `issue ${issue}: ${action}`,
  accepted: "the task and its criteria are clear",
  refined: (text: string) => `understood as: ${text}`,
  waiting: (reason: string, until: string) => `waiting until ${until}: ${reason}`,
  denied: (tool: string, reason: string) => `not allowed: ${tool} ${reason}`,
  met: "met",
  notMet: "not met",
  suggestion: (text: string) => `suggested next: ${text}`,
  worked: (result: string, approach: string) => `${result}: ${approach}`,
  questionsOpen: "Before any work begins, please answer:",
  suggestedAnswers: "for example",
  answerWith: (id: string) => `Answer with: e8 answer ${id}`,
  yourAnswer: "your answer (a number chooses, empty leaves the question open)",
  report: {
    reason: "reason",
    criteria: "criteria",
    artifacts: "artifacts",
    iterations: "iterations",
    tokens: "tokens",
    cost: "cost",
    time: "time",
    records: "records",
    noneJudged: "no iteration was judged",
    goOn: (id: string) => `e8 run --resume ${id}`,
    goOnWithMore: (id: string) =>
      `raise the limit: e8 run --resume ${id} -n 20 (or --max-cost, --max-tokens, --max-time)`,
  },
  list: {
    empty: "No tasks here yet.",
    columns: ["task id", "status", "iterations", "criteria", "cost", "task"],
    running: "running",
    interrupted: "interrupted",
  },
  show: {
    question: "question",
    answer: "answer",
    userCriterion: "as given",
    iteration: "iteration",
    configuration: "configuration",
    noRecords: "Nothing has been recorded yet.",
  },
  dryRun: {
    title: "This is what would run. Nothing was started.",
    prompt: "executor's first prompt",
  },
  cancelled: (id: string) => `Task ${id} was cancelled.`,
  cancelPending: (id: string) => `Task ${id} was told to stop and is still winding down.`,
  alreadyCompleted: (id: string) => `Task ${id} is already completed; nothing to do.`,
  resumeTakesNothingNew:
    "a task goes on as it was begun; only limits and models can change (-n, --max-…, --model). Start a new task for the rest",
  stopping: "stopping … (Ctrl-C again: at once)",
  demo: {
    intro: [
      "This is a real run, offline: the real Claude Code edits a small throw-away project with its real tools.",
      "Only the model is scripted: its answers come from a story, not from a language model. No account is used.",
    ],
    project: (path: string) => `project: ${path}`,
    outro: "The first worker claimed to be done; the check proved it wrong, and the second worker was told why.",
    scripted: (requests: number) =>
      `The scripted model answered ${requests} requests on this machine; nothing left it.`,
    next: 'Now your own: e8 run "…" --check "npm test"',
  },
  help: {
    description: "Lets coding agents work, in a fresh context again and again, until a task is provably done.",
    run: "work on a task until its criteria hold",
    list: "list the tasks of a project",
    show: "show what happened in a task",
    answer: "answer the open questions of a task and go on with it",
    cancel: "cancel a running task; it can be resumed",
    demo: "a real run, offline, with a scripted model",
    taskArgument: "what you want, in your own words; - reads it from standard input",
    idArgument: "task id, see `e8 list`",
    criteria: "a criterion in words, for the judge (repeat)",
    check: "a command that must exit 0 (repeat)",
    config: "a task file (task.yaml)",
    project: "the project directory",
    maxIterations: "iterations at most, 1 to 100",
    resume: "go on with a task: the latest, or the one with this id",
    verbose: "show tool calls and texts as they happen",
    model: "the model for every role",
    json: "print the result as JSON on standard output",
    dryRun: "show what would run, and where each setting came from",
    maxCost: "stop when this many US dollars are spent",
    maxTime: "stop after this many minutes, or e.g. 90s, 30m, 8h",
    maxTokens: "stop when this many tokens are spent",
    noIntake: "do not have the task looked at before the work begins",
    agentCommand: "a program to do the work instead of Claude Code: prompt on stdin, text on stdout",
    lang: "language of this program's texts: en or ja",
    answerOption: "an answer, in the order of the questions (repeat)",
  },
};

/** What every language must say. */
export type Texts = typeof en;
