import { evaluateOutcome } from "../../judgment/flow/conditions.ts";
import { extractParams } from "../../judgment/flow/extract-params.ts";
import { interpolate } from "../../judgment/flow/interpolate.ts";
import type { CompletionStep, Validator } from "../../model/definition/steps-registry.ts";
import type { RunEvent } from "../../model/events.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import { haltIfAborted } from "../halt.ts";
import { judgeCriteria } from "../judge.ts";
import type { RunContext } from "../run-context.ts";
import { type FlowRun, modulePath } from "./flow-run.ts";
import { asText } from "./step-prompt.ts";
import { forJudge } from "./step-summary.ts";

/** How one completion condition came out. */
export interface ConditionResult {
  validator: string;
  passed: boolean;
  evidence: string;
  /** Nothing a worker could do would change it: the command does not exist or cannot be run. */
  unrecoverable: boolean;
  failurePattern?: string;
  /** For the retry prompt. */
  params: Record<string, unknown>;
}

type Condition = CompletionStep["completionConditions"][number];

/** Runs one condition. Whatever goes wrong is a failed condition with its reason, never a pass. */
export async function* runCondition(
  context: RunContext,
  run: FlowRun,
  { condition, summary }: { condition: Condition; summary: ExecutionSummary },
): AsyncGenerator<RunEvent, ConditionResult> {
  const validator = run.definition.registry.validators[condition.validator];
  if (!validator) return unusable(condition.validator, "there is no such validator");
  const kinds = { command: runCommand, file: lookForFile, custom: runCustom, semantic: askJudge };
  const result = yield* kinds[validator.type](context, run, { condition, validator, summary });
  return { ...result, ...(validator.failurePattern && { failurePattern: validator.failurePattern }) };
}

interface Matter {
  condition: Condition;
  validator: Validator;
  summary: ExecutionSummary;
}

const DEFAULT_TIMEOUT_SECONDS = 120;

async function* runCommand(
  context: RunContext,
  run: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionResult> {
  const { command, args } = interpolate(validator.command ?? "", valuesFor(run, condition));
  const timeout_seconds = validator.timeout ? validator.timeout / 1000 : DEFAULT_TIMEOUT_SECONDS;
  const outcome = await context.ports.commands.run(
    { command, arguments: args, timeout_seconds, pipefail: false, separate_stdout: true },
    context.signal,
  );
  haltIfAborted(context.signal);
  yield { type: "spent", total: await context.meter.charge("checks", summary.iteration, NOTHING_SPENT) };
  const { passed, unrecoverable, reason } = evaluateOutcome(validator, outcome);
  const params = { ...condition.params, ...extractParams(validator.extractParams, outcome) };
  const evidence = [reason, passed ? "" : outcome.output_tail.trim()].filter(Boolean).join("\n");
  return { validator: condition.validator, passed, evidence, unrecoverable, params };
}

async function* lookForFile(
  context: RunContext,
  run: FlowRun,
  { condition, validator }: Matter,
): AsyncGenerator<RunEvent, ConditionResult> {
  const path = filledPath(validator.path ?? "", valuesFor(run, condition));
  const { exit_code } = await context.ports.commands.run(
    { command: 'test -e "$1"', arguments: [path], timeout_seconds: DEFAULT_TIMEOUT_SECONDS, pipefail: false },
    context.signal,
  );
  haltIfAborted(context.signal);
  const passed = exit_code === 0;
  const evidence = `${path} ${passed ? "exists" : "does not exist"}`;
  return {
    validator: condition.validator,
    passed,
    evidence,
    unrecoverable: false,
    params: { ...condition.params, path },
  };
}

/** A path is one word whatever it holds, so its parameters are put in as they are. */
function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : asText(values[name]),
  );
}

/** A module's default export: `(params, { output, parameters }) => boolean | { passed, reason?, params? }`. */
async function* runCustom(
  _: RunContext,
  run: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionResult> {
  const { validator: name, params } = condition;
  try {
    const handler = await run.loadModule(modulePath(run, validator.handlerPath ?? ""));
    if (typeof handler !== "function") return unusable(name, "its module exports no function");
    const output = summary.flow?.output ?? null;
    const said: unknown = await handler(params ?? {}, { output, parameters: run.parameters });
    return { validator: name, unrecoverable: false, ...wordOf(said, params ?? {}) };
  } catch (error) {
    return unusable(name, `its module failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function wordOf(said: unknown, given: Readonly<Record<string, unknown>>) {
  const { passed, reason, params } = typeof said === "object" && said !== null ? (said as Said) : { passed: said };
  const evidence = reason ?? (passed === true ? "its module says so" : "its module says no");
  return { passed: passed === true, evidence, params: { ...given, ...params } };
}

interface Said {
  passed: unknown;
  reason?: string;
  params?: Record<string, unknown>;
}

async function* askJudge(
  context: RunContext,
  _: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionResult> {
  const text = validator.prompt ?? condition.validator;
  const judgment = yield* judgeCriteria(
    context,
    { task: summary.approach, criteria: [{ type: "semantic", text }] },
    forJudge(summary),
  );
  return {
    validator: condition.validator,
    passed: judgment.is_complete,
    evidence: judgment.evaluations[0]?.evidence ?? judgment.overall_reason,
    unrecoverable: false,
    params: { ...condition.params, suggestion: judgment.suggested_next_action },
  };
}

function valuesFor({ parameters }: FlowRun, { params }: Condition): Record<string, unknown> {
  return { ...parameters, ...params };
}

function unusable(validator: string, problem: string): ConditionResult {
  return { validator, passed: false, evidence: problem, unrecoverable: true, params: {} };
}
