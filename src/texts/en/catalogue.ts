import type { Phase } from "../../model/events.ts";
import type { Language } from "../../model/language.ts";
import type { LoopStatus, StopReason } from "../../model/records.ts";
import { counted } from "../message-texts.ts";
import { enAbilities } from "./abilities.ts";
import { enBacklog } from "./backlog.ts";
import { enComparing } from "./comparing.ts";
import { enDashboard } from "./dashboard.ts";
import { enDoors } from "./doors.ts";
import { enFleet } from "./fleet.ts";
import { enHelp } from "./help.ts";
import { enIssues } from "./issues.ts";
import { enLanding } from "./landing.ts";
import { enLive } from "./live.ts";
import { enLookingBack } from "./looking-back.ts";
import { enProof } from "./proof.ts";
import { enReportFile } from "./report-file.ts";
import { enSteering } from "./steering.ts";
import { enLeftOut } from "./tampering.ts";
import { enUsage } from "./usage.ts";
import { enWorkers } from "./workers.ts";

const status: Record<LoopStatus, string> = {
  completed: "completed",
  max_iterations: "not completed",
  budget_exceeded: "not completed",
  stalled: "not completed",
  conditions_failed: "not completed",
  error: "error",
  cancelled: "cancelled",
  clarification_needed: "questions open",
};

const stop: Record<StopReason, string> = {
  criteria_met: "every criterion is met",
  already_true: "every check passed before the work began, so there was nothing to do",
  already_green: "every check passed before the work began, and --if-green fail asks for one that fails",
  flow_budget: "the agent's own budget is used up",
  max_iterations: "the iterations are used up",
  budget_cost: "the cost budget is used up",
  budget_tokens: "the token budget is used up",
  budget_time: "the time budget is used up",
  deadline: "the deadline has passed",
  stalled: "no progress any more: nothing changed and the same criteria failed in the same way",
  conditions_failed: "the conditions of completion failed",
  not_landed: "the work is proved, but could not be merged",
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
  prove: "proving the claim",
  setup: "preparing the clean checkout",
  review: "reviewing the work",
  queue: "waiting to merge",
  land: "merging",
};

export const en = {
  language: "en" as Language,
  ...enLookingBack,
  ...enIssues,
  ...enBacklog,
  ...enComparing,
  ...enFleet,
  ...enDashboard,
  ...enReportFile,
  ...enDoors,
  ...enLive,
  proof: enProof,
  acceptAsk: "Use the changed files?",
  landing: enLanding,
  snapshots: {
    unchanged: "no file differs",
    number: "the number of an iteration, 0 for the start, or the snapshot that an earlier rollback has named",
    iteration: "the number of an iteration, 0 for the start",
    rolledBack: (id: string, to: string, before: string) =>
      `The files are those of ${to === "0" ? "the start" : /^\d{1,4}$/.test(to) ? `the end of iteration ${to}` : `snapshot ${to}`}. What was there before is kept; to come back: e8 rollback ${id} --to ${before.slice(0, 12)}`,
    leftOut: (files: readonly string[]) => enLeftOut({ count: files.length, files: files.slice(0, 5) }),
    interrupted: (id: string, before: string) =>
      `An earlier rollback was interrupted. To come back to the files from before it: e8 rollback ${id} --to ${before.slice(0, 12)}`,
    totals: (files: number, added: number, removed: number) => `+${added} −${removed} in ${counted(files, "file")}`,
    cleaned: (count: number) => `Removed the snapshots of ${counted(count, "task")}, and the clean checkout.`,
    wayBackKept: (count: number) =>
      `Kept: ${counted(count, "snapshot")} of the files from before a rollback or fork. \`e8 rm ID\` removes ${count === 1 ? "it" : "them"} with the task.`,
    copiesRemoved: (count: number) =>
      `Removed the copies of ${count === 1 ? "1 repository" : `${count} repositories`} that no task has used for two weeks.`,
  },
  ...enSteering,
  ...enWorkers,
  status,
  stop,
  phase,
  usage: enUsage,
  /** Without a text, the label stands before lines of its own. */
  labeled: (label: string, text?: string) => `${label}:${text === undefined ? "" : ` ${text}`}`,
  separator: ", ",
  error: "error",
  nextStep: "next",
  warning: "note",
  inProject: (path: string) => `project: ${path}`,
  runStart: (id: string) => `task ${id}`,
  resumed: (id: string, iterations: number) => `task ${id}, going on after iteration ${iterations}`,
  iteration: (number: number, of: number) => `iteration ${number} of ${of}`,
  accepted: "the task and its criteria are clear",
  refined: (text: string) => `understood as: ${text}`,
  intakeNote: (text: string) => `the intake notes: ${text}`,
  waiting: (reason: string, until: string) => `waiting until ${until}: ${reason}`,
  retry: (attempt: number, of: number, at: string) => `retry ${attempt} of ${of} at ${at}`,
  denied: (tool: string, reason: string) => `not allowed: ${tool} (${reason})`,
  met: "met",
  linesLeftOut: (count: number | undefined) =>
    count === undefined ? "… earlier lines left out" : `… ${counted(count, "line")} left out`,
  notMet: "not met",
  check: {
    passes: (command: string) => `\`${command}\` exits 0`,
    hidden: "a hidden check passes",
    unchanged: (files: string) => `unchanged since the task began: ${files}`,
  },
  suggestion: (text: string) => `suggested next: ${text}`,
  worked: (result: string, approach: string) =>
    result === "error" ? `error: ${approach}` : `the worker claims ${result}: ${approach}`,
  questionsOpen: "Before any work begins, please answer:",
  answerWith: (id: string) => `Answer with: e8 answer ${id}`,
  changes: {
    title: (files: number, lines: string) => [`files changed: ${files}`, lines].filter(Boolean).join(", "),
    none: "no file changed",
    status: { added: "new", modified: "changed", deleted: "deleted" },
    more: (count: number) => `and ${count} more`,
    claimed: "claimed by the worker",
    unseen: "claimed by the worker, but not seen to change",
    output: "the worker's last text",
  },
  report: {
    reason: "reason",
    criteria: "criteria",
    iterations: "iterations",
    tokens: "tokens",
    cost: "cost",
    time: "time",
    unknown: "unknown",
    atLeast: (amount: string) => `at least ${amount}`,
    records: "records",
    noneJudged: "no iteration was judged",
    goOn: (id: string) => `e8 run --resume ${id}`,
    goOnOtherwise: (id: string) =>
      `see what is stuck: e8 show ${id}; then go on, perhaps with another model (--model) or program (--agent-command): e8 run --resume ${id}`,
    goOnWithMore: (id: string, flag: string) => `raise the limit: e8 run --resume ${id} ${flag}`,
    noMoreIterations: (limit: number) => `a task has at most ${limit} iterations; start a new one: e8 run "…"`,
  },
  dryRun: {
    title: "This is what would run. Nothing was started.",
    source: (source: string) => source,
    can: (agent: string) => `${agent} can`,
    cannot: (agent: string) => `${agent} cannot`,
    abilities: enAbilities,
  },
  cancelled: (id: string) => `Task ${id} was cancelled.`,
  cancelPending: (id: string) => `Task ${id} was told to stop and is still winding down.`,
  resumeTakesNothingNew:
    "a task goes on as it was begun; only limits, models, tools and the worker's program can change (-n, --max-…, --until, --check-timeout, --allow-tool, --model, --judge-model, --agent-command). Start a new task for the rest",
  stopping: "stopping … (Ctrl-C again: at once)",
  watchLeft: (id: string) => `Task ${id} goes on. Watch it again: e8 watch ${id}`,
  replayLeft: (id: string) => `Watch it again: e8 watch ${id}`,
  oneJsonFormat: "choose --json or --json-events, not both",
  /** What a flag's value may be. */
  values: {
    age: "a number of hours, days or weeks, such as 12h, 30d or 2w",
    aboveZero: "more than 0",
    between: (lowest: number, highest: number) => `${lowest} to ${highest}`,
    iteration: "a whole number; 0 is the intake",
  },
  skipped: "the definition lets it complete although conditions failed",
  agentRunUsage:
    "Usage: e8 agent run <name> [options]\n\nEvery agent has its own options: e8 agent run <name> --help\nList the agents: e8 agent list",
  agentNameMissing: "name the agent first; `e8 agent list` shows them",
  scripted: "The model is scripted: its answers come from a story, not from a language model.",
  severity: { error: "error", warning: "warning" },
  agents: {
    none: "No agents here yet. Make one: e8 agent init <name>",
    columns: ["agent", "steps", "completion", "description"],
    broken: (count: number) => counted(count, "error"),
    valid: "valid",
    errors: (count: number) => counted(count, "error"),
    warnings: (count: number) => counted(count, "warning"),
    why: "why it matters",
    fix: "how to fix it",
    parameters: "parameters (* required)",
    completion: "completion",
    tools: "tools",
    entry: "begins at",
    intents: "intents",
    handsOn: "hands on",
    receives: "receives",
    conditions: "completion conditions",
    made: (path: string) => `Made ${path}`,
    stepColumns: ["step", "kind", "taken by", "named by", "note"],
    ofStep: "the step",
    onlySandbox: "only the sandbox bounds it",
  },
  init: {
    task: "What do you want done?",
    criterion: "What must be true then? One sentence at a time; empty goes on",
    check: "A command that must exit 0 (- for none)",
    iterations: "Iterations at most",
    cost: "US dollars at most (empty: no limit)",
    wrong: "That cannot be used",
    left: "nothing was written",
    exampleTask: "FILL IN: what you want. For example: Fix the failing test in cart.test.js",
    exampleCriterion: "FILL IN: what must be true when it is done. For example: README explains how to run the tests",
    made: (path: string) => `${path} was written`,
    fillIn: (keys: readonly string[], command: string) => `Fill in ${keys.join(" and ")}, then: ${command}`,
  },
  doctor: {
    healthy: "Everything a run needs is there.",
    problems: (count: number) => `${counted(count, "problem")} would keep a run from working.`,
  },
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
    backlog: {
      intro: [
        "Three issues are worked on at the same time, each on a branch and in a worktree of its own.",
        "What is proved is merged, one after the other. Two of them change the same line, so one meets a conflict.",
      ],
      landed: (base: string) => `What ${base} has now, the latest first:`,
      outro:
        "The conflict went back to a worker, and the merged files were proved again. Your own branch was not touched.",
      next: 'Now your own: e8 issues add "…" --check "npm test", then e8 orchestrate --base main --parallel 3',
    },
  },
  help: enHelp,
};

/** What every language must say. */
export type Texts = typeof en;
