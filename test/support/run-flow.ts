import type { LoadModule } from "../../src/connection/ports/modules.ts";
import { flowCourse } from "../../src/execution/flow/flow-course.ts";
import type { FlowRun } from "../../src/execution/flow/flow-run.ts";
import { E8Error } from "../../src/model/errors.ts";
import type { AgentFile, Completion } from "../../src/model/flow/agent-file.ts";
import type { FlowDefinition } from "../../src/model/flow/definition.ts";
import type { CompletionStep, Intent, Step, StepsRegistry } from "../../src/model/flow/steps-registry.ts";
import type { Release, TrackedItem } from "../../src/model/issue.ts";
import type { GoalOptions, GoalRun } from "./run-goal.ts";
import { beginGoal, runGoal } from "./run-goal.ts";
import type { Scene } from "./scripted-agent.ts";

type Steps = Record<string, Partial<Step> & { prompt?: string; schema?: FlowDefinition["schemas"][string] }>;

export interface FlowOptions extends Omit<GoalOptions, "course" | "task" | "criteria"> {
  steps: Steps;
  entryStep?: string;
  completion?: Completion;
  validators?: StepsRegistry["validators"];
  completionSteps?: Record<string, Partial<CompletionStep>>;
  retryPrompts?: Record<string, string>;
  parameters?: Record<string, unknown>;
  github?: Partial<AgentFile["runner"]["integrations"]["github"]>;
  tracker?: MemoryTracker;
  modules?: Record<string, unknown>;
  stdin?: string;
}

/** Runs an agent made of steps on parts that live in memory. */
export async function runFlow(options: FlowOptions): Promise<GoalRun & { tracker: MemoryTracker }> {
  const tracker = options.tracker ?? new MemoryTracker();
  return { ...(await runGoal(flowOptions(options, tracker))), tracker };
}

/** Begins one. */
export function beginFlow(options: FlowOptions) {
  return beginGoal(flowOptions(options, options.tracker ?? new MemoryTracker()));
}

function flowOptions(options: FlowOptions, tracker: MemoryTracker): GoalOptions {
  const loadModule: LoadModule = async (path) =>
    options.modules?.[path.replace(/^\/project\/\.agent\/tester\/(?!\/)/, "")];
  const run = {
    definition: definitionOf(options),
    parameters: options.parameters ?? {},
    stdin: options.stdin ?? "",
    tracker,
    loadModule,
  };
  const settings = { stall_limit: null, ...options.settings };
  return { ...options, settings, criteria: ["unused"], course: (context) => flowCourse(context, run) };
}

/** A gated step: what it may ask for, and where that leads. */
export function gated(
  stepKind: Step["stepKind"],
  transitions: Partial<Record<Intent, string | null>>,
  more: Steps[string] & { handoffFields?: string[] } = {},
): Steps[string] {
  const { handoffFields = [], ...rest } = more;
  return {
    stepKind,
    structuredGate: {
      allowedIntents: Object.keys(transitions) as Intent[],
      intentField: "next_action.action",
      intentSchemaRef: "#/properties/next_action/properties/action",
      targetField: "next_action.target",
      handoffFields,
      failFast: true,
      ...rest.structuredGate,
    },
    transitions: Object.fromEntries(Object.entries(transitions).map(([intent, target]) => [intent, { target }])),
    ...rest,
  };
}

/** What a step returns: its intent and whatever else. */
export function says(action: string, more: Record<string, unknown> = {}): Scene {
  return { structured: { next_action: { action }, ...more } };
}

type Tracker = FlowRun["tracker"];

/** Issues in memory, with a diary of what was done to them. */
export class MemoryTracker implements Tracker {
  readonly diary: string[] = [];
  readonly item: TrackedItem = {
    kind: "issue",
    number: 7,
    state: "OPEN",
    labels: ["ready"],
    title: "An issue",
    body: "",
    created_at: "2026-01-23T10:00:00.000Z",
    url: "https://github.test/issues/7",
    blocked_by: [],
  };
  fails = false;
  unreadable = false;

  async get(_kind: string, _number: number, _signal: AbortSignal): Promise<TrackedItem> {
    this.#beThere();
    return { ...this.item };
  }

  async close(kind: string, number: number, _signal: AbortSignal): Promise<void> {
    if (this.fails) throw new Error("the tracker is down");
    this.diary.push(`close ${kind} ${number}`);
    this.item.state = "CLOSED";
  }

  async label(number: number, { add, remove }: { add: readonly string[]; remove: readonly string[] }): Promise<void> {
    this.#beThere();
    this.diary.push(`label ${number} +${add} -${remove}`);
    this.item.labels = [...this.item.labels.filter((label) => !remove.includes(label)), ...add];
  }

  async release({ tag, title, body }: { tag: string; title: string; body: string }): Promise<Release> {
    this.#beThere();
    if (this.fails) throw new Error("the tracker is down");
    this.diary.push(`release ${tag}: ${body}`);
    return { tag, title, body, url: "" };
  }

  #beThere(): void {
    if (this.unreadable) throw new E8Error("tracker_failed", { what: "reach the issue", problem: "there is none" });
  }
}

function definitionOf(options: FlowOptions): FlowDefinition {
  const ids = Object.keys(options.steps);
  const prompts = ids.map((id) => [id, { file: `${id}.md`, text: options.steps[id]?.prompt ?? `Do ${id}.` }]);
  const schemas = ids.flatMap((id) => (options.steps[id]?.schema ? [[id, options.steps[id].schema]] : []));
  const retry = Object.entries(options.retryPrompts ?? {}).map(([key, text]) => [key, { file: key, text }]);
  const steps = ids.map((id) => [id, stepOf(id, options.steps[id] ?? {})]);
  const completionSteps = Object.entries(options.completionSteps ?? {}).map(([id, step]) => [
    id,
    {
      stepId: id,
      name: id,
      c2: "retry",
      c3: "x",
      completionConditions: [],
      onFailure: { action: "retry", maxAttempts: 3 },
      ...step,
    },
  ]);
  return {
    directory: "/project/.agent/tester",
    agent: agentOf(options),
    registry: {
      agentId: "tester",
      version: "1.0.0",
      c1: "steps",
      steps: Object.fromEntries(steps),
      failurePatterns: {},
      validators: options.validators ?? {},
      completionSteps: Object.fromEntries(completionSteps),
    },
    entryStep: options.entryStep ?? ids[0] ?? "",
    isGated: ids.some((id) => options.steps[id]?.structuredGate),
    systemPrompt: { file: "system.md", text: "You are {uv-agent_name}.\n{uv-completion_criteria}" },
    prompts: Object.fromEntries(prompts),
    schemas: Object.fromEntries(schemas),
    retryPrompts: Object.fromEntries(retry),
  };
}

function stepOf(stepId: string, { prompt: _, schema: __, ...more }: Steps[string]): Step {
  const [c2 = "", c3 = ""] = stepId.split(".");
  const plain = { stepKind: "work" as const, edition: "default", uvVariables: [], usesStdin: false };
  return { stepId, name: stepId, c2, c3, ...plain, transitions: {}, inputs: {}, ...more };
}

function agentOf({ completion, github }: FlowOptions): AgentFile {
  return {
    version: "1.0.0",
    name: "tester",
    displayName: "Tester",
    description: "tests",
    parameters: {},
    runner: {
      flow: { systemPromptPath: "prompts/system.md" },
      completion: completion ?? { type: "stepMachine", config: {} },
      boundaries: { allowedTools: ["Read"], permissionMode: "acceptEdits" },
      integrations: {
        github: { enabled: false, labels: { add: [], remove: [] }, defaultClosureAction: "close", ...github },
      },
      execution: {
        worktree: { enabled: false },
        finalize: { autoMerge: true, push: false, remote: "origin", createPr: false },
      },
    },
  };
}
