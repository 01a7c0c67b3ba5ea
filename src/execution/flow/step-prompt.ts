import { handoffVariables, inputValues } from "../../judgment/flow/handoff.ts";
import { toolPolicy } from "../../judgment/flow/tool-policy.ts";
import type { Assignment } from "../../model/agent.ts";
import { criterionText } from "../../model/criterion.ts";
import { configText } from "../../model/flow/agent-file.ts";
import type { FlowPosition, Handoff } from "../../model/flow/position.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import { systemVariables } from "../../model/flow/variables.ts";
import { textOf } from "../../model/json.ts";
import { listed } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import { fillTemplate, placeholdersIn } from "../../model/template.ts";
import { MEMORY_SHARES, remember } from "../prompt/memory.ts";
import { notesText } from "../prompt/notes.ts";
import { visible } from "../prompt/quotes.ts";
import type { RunContext } from "../run-context.ts";
import { criteriaIn, type FlowRun, flowFailed, positionOf, stepOf, workerOf } from "./flow-run.ts";

/** The next step as an assignment: its prompt with every variable filled, its schema, its tools. */
export async function assignStep(
  context: RunContext,
  run: FlowRun,
  { iteration, state }: { iteration: number; state: RunState },
): Promise<Assignment> {
  const position = positionOf(run, state);
  const step = stepOf(run, position.next_step, iteration);
  const memory = await memoryFor(context, run, step);
  const variables = variablesFor(context, run, { step, position, state, iteration, memory });
  const resolved = run.definition.schemas[step.stepId];
  const { boundaries } = run.definition.agent.runner;
  return {
    role: "executor",
    step_id: step.stepId,
    iteration,
    prompt: [
      step.runner ? "" : notesText(context.prompts, state.notes, { iteration }), // a program cannot follow a note
      promptFor(context, run, { step, position, variables }),
    ]
      .filter(Boolean)
      .join("\n\n"),
    system_prompt: systemPromptFor(run, step, variables),
    ...(resolved && "schema" in resolved && { schema: resolved.schema }),
    ...workerOf(step, context.configuration),
    access: step.permissionMode ?? boundaries.permissionMode,
    forbids: toolPolicy(step.stepKind),
    ...(step.runner && { inputs: inputValues(step, position.handoff).values }),
  };
}

/** The task's history and the project's knowledge, for the prompts that ask for them. */
async function memoryFor(context: RunContext, { definition }: FlowRun, step: Step): Promise<Record<string, string>> {
  const texts = [definition.systemPrompt.text, definition.prompts[step.stepId]?.text ?? ""];
  if (!texts.some((text) => /\{uv-(history|knowledge)\}/.test(text))) return {};
  const { history, failures, knowledge } = await remember(
    context,
    { task: context.configuration.task, criteria: [] },
    MEMORY_SHARES,
  );
  return { history: `${history}\n${failures}`, knowledge };
}

interface PromptInputs {
  step: Step;
  position: FlowPosition;
  state: RunState;
  iteration: number;
  memory: Readonly<Record<string, string>>;
}

/** Of variables with the same name, parameters win, then the program's own, then what was handed on. */
function variablesFor(context: RunContext, run: FlowRun, inputs: PromptInputs): Record<string, string> {
  const { step, position, state, iteration, memory } = inputs;
  const { values, missing } = inputValues(step, position.handoff);
  if (missing.length > 0)
    throw flowFailed("FAILED_HANDOFF_INPUT", { step: step.stepId, iteration, problem: listed(missing) });
  const variables: Record<string, string> = {
    ...allVisible(values),
    ...memory,
    ...(step.usesStdin && { stdin: run.stdin, input_text: run.stdin }),
    ...commonVariables(context, run, { iteration, checks: position.checks, summary: state.summary }),
  };
  // Making text of all that a long flow has handed on takes time, and most prompts need only their inputs.
  const isEnough = placeholdersOf(run, step).every((name) => Object.hasOwn(variables, name));
  return isEnough ? variables : { ...allVisible(handoffVariables(position.handoff)), ...variables };
}

/** Earlier steps have written these values. The format puts them into the prompt as they are; what nobody would see is shown. */
function allVisible(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, visible(value)]));
}

function placeholdersOf({ definition }: FlowRun, step: Step): string[] {
  const texts = [definition.systemPrompt.text, definition.prompts[step.stepId]?.text ?? ""];
  return texts.flatMap(placeholdersIn).filter((name) => !SYSTEM_NAMES.has(name));
}

const SYSTEM_NAMES: ReadonlySet<string> = new Set(systemVariables);

interface Progress {
  iteration: number;
  checks: number;
  /** Of the last iteration. */
  summary: ExecutionSummary | null;
}

/** The variables of a closure step's retry prompts and of its conditions. */
export function closureVariables(
  context: RunContext,
  run: FlowRun,
  { closure, handoff, ...progress }: Progress & { closure: string; handoff: Handoff },
): Record<string, string> {
  const step = run.definition.registry.steps[closure];
  return {
    ...allVisible(handoffVariables(handoff)),
    ...(step && allVisible(inputValues(step, handoff).values)),
    ...(step?.usesStdin && { stdin: run.stdin, input_text: run.stdin }),
    ...commonVariables(context, run, progress),
  };
}

/** The variables that every prompt of the flow gets. */
function commonVariables(
  context: RunContext,
  run: FlowRun,
  { iteration, checks, summary }: Progress,
): Record<string, string> {
  const { config } = run.definition.agent.runner.completion;
  const max = context.configuration.max_iterations;
  return {
    max_iterations: String(max),
    remaining: String(Math.max(0, max - iteration + 1)),
    previous_summary: previousSummary(context, summary),
    check_count: String(checks),
    max_checks: String(config.maxChecks ?? ""),
    iteration: String(iteration),
    completed_iterations: String(iteration - 1),
    completion_keyword: config.completionKeyword ?? "",
    verdict_keyword: config.completionKeyword ?? "",
    ...parameterVariables(run),
  };
}

function parameterVariables({ parameters }: FlowRun): Record<string, string> {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/** Only what the worker itself called a summary, or why it failed: its other output travels by handoff or not at all. */
function previousSummary({ tell }: RunContext, summary: ExecutionSummary | null): string {
  return visible(summary?.failure ? tell(summary.failure) : (summary?.reason ?? ""));
}

/** Why completion was refused and why the last attempt failed, then the step's own prompt: its worker remembers nothing. */
function promptFor(
  { tell }: RunContext,
  { definition, stdin }: FlowRun,
  { step, position, variables }: { step: Step; position: FlowPosition; variables: Record<string, string> },
): string {
  const template = definition.prompts[step.stepId];
  const own = template ? fillTemplate(template, variables) : "";
  const usesStdin = step.usesStdin && !/\{uv-(stdin|input_text)\}/.test(template?.text ?? "");
  const { retry_prompt, last_failure, closing_hint } = position;
  const hint = step.stepKind === "closure" ? closing_hint : "";
  const failure = last_failure === null ? "" : `The last attempt at this step failed: ${tell(last_failure)}`;
  return [retry_prompt, hint, failure, own, usesStdin ? stdin : ""].filter(Boolean).join("\n\n");
}

function systemPromptFor({ definition }: FlowRun, step: Step, variables: Record<string, string>): string {
  const criteria = completionCriteria(definition.agent.runner.completion);
  const filled = fillTemplate(definition.systemPrompt, {
    ...variables,
    agent_name: definition.agent.name,
    completion_criteria: criteria,
    verdict_criteria: criteria,
  });
  return `endless8-role: executor\nendless8-step: ${step.stepId}\n\n${filled}`;
}

/** What the worker is told about the flow's completion; of a hidden check, only its description. */
function completionCriteria({ type, config }: FlowRun["definition"]["agent"]["runner"]["completion"]): string {
  const { conditions: _, criteria, ...plain } = config;
  const details = Object.entries(plain).map(([key, value]) => `${key}: ${configText(value)}`);
  const named = criteriaIn(criteria ?? []).map((criterion) => `- ${criterionText(criterion)}`);
  return [`completion: ${type}`, ...details, ...named].join("\n");
}
