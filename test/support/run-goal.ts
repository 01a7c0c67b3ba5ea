import { readFile } from "node:fs/promises";
import { answererOf } from "../../src/connection/agents/create-agents.ts";
import type { Ask } from "../../src/connection/ports/ask.ts";
import type { Course } from "../../src/execution/course.ts";
import { goalCourse } from "../../src/execution/goal/goal-course.ts";
import { Meter } from "../../src/execution/meter.ts";
import { run } from "../../src/execution/run.ts";
import { PROMPT_NAMES, type PromptSet, type RunContext } from "../../src/execution/run-context.ts";
import { fold } from "../../src/execution/state.ts";
import { type Configuration, reviewersOf } from "../../src/model/configuration.ts";
import { type CommandCriterion, CriterionInput, type UnchangedCriterion } from "../../src/model/criterion.ts";
import type { Digests } from "../../src/model/digests.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { HistoryRecord, LoopResult } from "../../src/model/records.ts";
import type { Knowledge } from "../../src/model/roles.ts";
import { NOTHING_DONE } from "../../src/model/state.ts";
import type { Task } from "../../src/model/task.ts";
import { addUsage, NOTHING_SPENT, type Spending } from "../../src/model/usage.ts";
import { teller } from "../../src/texts/tell.ts";
import { ManualClock, type Outcomes, type ProofScene, ScriptedCommands, ScriptedWorkspace } from "./fakes.ts";
import { type Journal, TestTask } from "./memory-stores.ts";
import { PLAIN_CONFIGURATION } from "./plain-configuration.ts";
import { type Script, ScriptedAgent } from "./scripted-agent.ts";

type Settings = Partial<Omit<Configuration, "budget">> & { budget?: Partial<Configuration["budget"]> };

export interface GoalOptions {
  /** Another course than that of a task with criteria. */
  course?: (context: RunContext) => Course;
  task?: string;
  criteria?: (string | Omit<CommandCriterion, "type"> | UnchangedCriterion)[];
  settings?: Settings;
  script?: Script;
  /** What the checks come to, in order. */
  checks?: Outcomes;
  /** What the workspace sees change, iteration by iteration. */
  changes?: string[][];
  /** What it finds where files must stay as they are, look by look. */
  files?: Digests[];
  knowledge?: Knowledge[];
  ask?: Ask;
  /** Aborts the run. */
  cancel?: AbortController;
  /** What an earlier run left behind: this one goes on from there. */
  after?: { records: readonly HistoryRecord[]; ledger?: { lines: readonly Spending[] }; task?: Task; output?: string };
  /** What a proof finds in the workspace; `settings.proof` turns it on. */
  proof?: ProofScene;
  /** Whether a model can judge the task's own text. */
  hasModel?: boolean;
  /** Last changes to the world before the run begins in it. */
  arrange?: (world: World) => void;
  /** Called with each event as it is announced. */
  onEvent?: (event: RunEvent) => void;
}

export interface World {
  journal: Journal;
  clock: ManualClock;
  agent: ScriptedAgent;
  commands: ScriptedCommands;
  store: TestTask;
  /** Parts of the store, for tests that look at one of them. */
  history: TestTask["history"];
  knowledge: TestTask["knowledge"];
  ledger: TestTask["ledger"];
  files: TestTask;
}

export interface GoalRun extends World {
  result: LoopResult;
  records: HistoryRecord[];
  events: RunEvent[];
}

/** Begins a goal course on parts that live in memory. */
export async function beginGoal(options: GoalOptions) {
  const world = worldFor(options);
  options.arrange?.(world);
  const context = await contextIn(world, options);
  const state = (options.after?.records ?? []).reduce(fold, NOTHING_DONE);
  return { world, stream: run((options.course ?? goalCourse)(context), context, state) };
}

/** Runs a goal course to its end on parts that live in memory. */
export async function runGoal(options: GoalOptions): Promise<GoalRun> {
  const { world, stream } = await beginGoal(options);
  const events: RunEvent[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { ...world, result: step.value, records: world.history.kept, events };
    world.journal.push(`announced ${step.value.type}`);
    events.push(step.value);
    options.onEvent?.(step.value);
  }
}

/** Goes on where another run stopped, with what that one left behind. */
export async function resume(earlier: GoalRun, options: GoalOptions): Promise<GoalRun> {
  const { records, store } = earlier;
  const { task, output, ledger } = store;
  return await runGoal({ ...options, after: { records, ledger, task, output } });
}

/** The events of one type. */
export function only<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** The codes of the notices given. */
export function noticeCodes(events: readonly RunEvent[]): string[] {
  return only(events, "notice").map(({ notice }) => notice.code);
}

/** The records of one type. */
export function recorded<T extends HistoryRecord["type"]>(records: readonly HistoryRecord[], type: T) {
  return records.filter((record): record is Extract<HistoryRecord, { type: T }> => record.type === type);
}

function worldFor(options: GoalOptions): World {
  const journal: Journal = [];
  const clock = new ManualClock();
  const { after } = options;
  const left = { ...after, knowledge: options.knowledge ?? [] };
  const store = new TestTask(journal, after?.task ?? taskOf(options), left);
  const { history, knowledge, ledger } = store;
  return {
    journal,
    clock,
    agent: new ScriptedAgent(options.script ?? {}, clock),
    commands: new ScriptedCommands(options.checks ?? []),
    store,
    history,
    knowledge,
    ledger,
    files: store,
  };
}

async function contextIn(
  world: World,
  { ask, cancel, changes, files: found, settings, proof, hasModel = false }: GoalOptions,
): Promise<RunContext> {
  const { agent, clock, commands, store } = world;
  const configuration = configured(store.task.configuration, settings ?? {});
  const workspace = new ScriptedWorkspace(changes ?? [], found ?? []);
  workspace.proof = proof;
  const spent = store.ledger.lines.reduce((sum, line) => addUsage(sum, line), NOTHING_SPENT);
  return {
    ports: {
      agents: { executor: agent, roles: agent, answererOf: (expected) => answererOf(expected, configuration) },
      commands,
      store,
      workspace,
      clock,
      ...(ask ? { ask } : {}),
    },
    configuration,
    prompts: await shippedPrompts,
    tell: teller("en"),
    sandbox: { level: "off", adapter: "none" },
    has_model: hasModel,
    has_reviewer: reviewersOf(configuration).length > 0,
    meter: new Meter({ ledger: store.ledger, clock }, spent),
    turns: {},
    signal: (cancel ?? new AbortController()).signal,
  };
}

function taskOf({ task = "Make it work", criteria = ["It works"], settings = {} }: GoalOptions): Task {
  const list = criteria.map((one) => CriterionInput.parse(typeof one === "string" ? one : { type: "command", ...one }));
  const configuration = configured({ ...PLAIN_CONFIGURATION, task, criteria: list }, settings);
  return {
    version: 1,
    task_id: "2026-01-23T13-30-00",
    created_at: "2026-01-23T13:30:00.000Z",
    project: "/project",
    configuration,
    intake: null,
    answers: [],
    flow: null,
    boundary: null,
  };
}

function configured(configuration: Configuration, { budget, ...settings }: Settings): Configuration {
  return { ...configuration, ...settings, budget: { ...configuration.budget, ...budget } };
}

const shippedPrompts = readPrompts();

async function readPrompts(): Promise<PromptSet> {
  const read = PROMPT_NAMES.map(async (name) => {
    const file = `prompts/${name}.md`;
    return [name, { file, text: await readFile(new URL(`../../${file}`, import.meta.url), "utf8") }];
  });
  return Object.fromEntries(await Promise.all(read));
}
