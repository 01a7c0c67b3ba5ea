import { evaluateOutcome } from "../../judgment/flow/conditions.ts";
import { extractFileParams, extractParams } from "../../judgment/flow/extract-params.ts";
import { interpolate } from "../../judgment/flow/interpolate.ts";
import { E8Error, type ErrorParams } from "../../model/errors.ts";
import type { RunEvent } from "../../model/events.ts";
import type { CompletionStep, Validator } from "../../model/flow/steps-registry.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { type Statement, WordedError, type Words, worded, wordingOf } from "../../model/statement.ts";
import { type Told, told } from "../../model/telling.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import { Halt, haltIfAborted } from "../halt.ts";
import { judgeAlone } from "../judge.ts";
import type { RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";
import { answerOf, loadFunction } from "./modules.ts";
import { asText } from "./step-prompt.ts";
import { forJudge } from "./step-summary.ts";

/** How one completion condition came out. */
export interface ConditionOutcome extends Pick<Told, "wordings"> {
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
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const validator = run.definition.registry.validators[condition.validator];
  if (!validator) return unusable(condition.validator, NO_SUCH_VALIDATOR);
  const kinds = { command: runCommand, file: lookForFile, custom: runCustom, semantic: askJudge };
  const result = yield* kinds[validator.type](context, run, { condition, validator, summary });
  return { ...result, ...(validator.failurePattern && { failurePattern: validator.failurePattern }) };
}

const NO_SUCH_VALIDATOR: Words = { en: "there is no such validator", ja: "その validator はありません" };

interface Matter {
  condition: Condition;
  validator: Validator;
  summary: ExecutionSummary;
}

const DEFAULT_TIMEOUT_SECONDS = 120;

function secondsFor({ timeout }: Validator): number {
  return timeout ? timeout / 1000 : DEFAULT_TIMEOUT_SECONDS;
}

async function* runCommand(
  context: RunContext,
  run: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const { command, args, problem } = interpolate(validator.command ?? "", valuesFor(run, condition));
  const timeout_seconds = secondsFor(validator);
  const outcome = await context.ports.commands.run(
    { command, arguments: args, timeout_seconds, pipefail: false, separate_stdout: true },
    context.signal,
  );
  haltIfAborted(context.signal);
  yield { type: "spent", total: await context.meter.charge("checks", summary.iteration, NOTHING_SPENT) };
  const { passed, unrecoverable, reason } = evaluateOutcome(validator, outcome);
  const params = { ...condition.params, ...extractParams(validator.extractParams, outcome) };
  const said = [reason, problem ?? (passed ? "" : outcome.output_tail.trim())].filter(Boolean);
  return { validator: condition.validator, passed, ...evidenceOf(said), unrecoverable, params };
}

async function* lookForFile(
  context: RunContext,
  run: FlowRun,
  { condition, validator }: Matter,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const path = filledPath(validator.path ?? "", valuesFor(run, condition));
  const { exit_code } = await context.ports.commands.run(
    { command: 'test -e "$1"', arguments: [path], timeout_seconds: DEFAULT_TIMEOUT_SECONDS, pipefail: false },
    context.signal,
  );
  haltIfAborted(context.signal);
  const passed = exit_code === 0;
  return {
    validator: condition.validator,
    passed,
    ...evidenceOf([passed ? exists(path) : doesNotExist(path)]),
    unrecoverable: false,
    params: { ...condition.params, path, ...extractFileParams(validator.extractParams, { path, isThere: passed }) },
  };
}

function exists(path: string): Words {
  return { en: `${path} exists`, ja: `${path} があります` };
}

function doesNotExist(path: string): Words {
  return { en: `${path} does not exist`, ja: `${path} がありません` };
}

/** A path is one word whatever it holds, so its parameters are put in as they are. */
function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : asText(values[name]),
  );
}

/** A module's default export: `(params, { output, parameters }) => boolean | { passed, reason?, params? }`. */
async function* runCustom(
  context: RunContext,
  run: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const { validator: name, params = {} } = condition;
  try {
    const handler = await loadFunction(context, run, validator.handlerPath ?? "");
    const output = summary.flow?.output ?? null;
    const ask = async () => wordOf(await handler(params, { output, parameters: run.parameters }), params);
    return { validator: name, unrecoverable: false, ...(await answerOf(ask(), context, secondsFor(validator))) };
  } catch (error) {
    if (error instanceof Halt) throw error;
    const isLate = error instanceof WordedError;
    return { ...unusable(name, isLate ? error.wording : moduleFailed(error)), unrecoverable: !isLate };
  }
}

function moduleFailed(error: unknown): Words {
  const problem =
    error instanceof E8Error && error.code === "module_broken" ? detailsOf(error).problem : wordingOf(error);
  return worded(
    (say) => `its module failed: ${say(problem)}`,
    (say) => `モジュールが失敗しました: ${say(problem)}`,
  );
}

function detailsOf({ details }: E8Error): ErrorParams["module_broken"] {
  return details as ErrorParams["module_broken"];
}

function wordOf(said: unknown, given: Readonly<Record<string, unknown>>) {
  const { passed, reason, params } = typeof said === "object" && said !== null ? (said as Said) : { passed: said };
  const isSaid = reason !== undefined && reason !== null;
  const evidence = isSaid ? asText(reason) : MODULE_SAYS[passed === true ? "yes" : "no"];
  return { passed: passed === true, ...evidenceOf([evidence]), params: { ...given, ...params } };
}

const MODULE_SAYS = {
  yes: { en: "its module says so", ja: "モジュールが成立と判断しました" },
  no: { en: "its module says no", ja: "モジュールが不成立と判断しました" },
} as const;

interface Said {
  passed: unknown;
  reason?: unknown;
  params?: Record<string, unknown>;
}

async function* askJudge(
  context: RunContext,
  _: FlowRun,
  { condition, validator, summary }: Matter,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const text = validator.prompt ?? condition.validator;
  const judgment = yield* judgeAlone(
    context,
    { task: summary.approach, criteria: [{ type: "semantic", text }] },
    forJudge(summary),
  );
  const { evidence, wordings } = judgment.evaluations[0] ?? { ...judgment, evidence: judgment.overall_reason };
  return {
    validator: condition.validator,
    passed: judgment.is_complete,
    evidence,
    wordings,
    unrecoverable: false,
    params: { ...condition.params, suggestion: judgment.suggested_next_action },
  };
}

function valuesFor({ parameters }: FlowRun, { params }: Condition): Record<string, unknown> {
  return { ...parameters, ...params };
}

function unusable(validator: string, problem: Statement): ConditionOutcome {
  return { validator, passed: false, ...evidenceOf([problem]), unrecoverable: true, params: {} };
}

function evidenceOf(said: readonly Statement[]): Pick<ConditionOutcome, "evidence" | "wordings"> {
  const { text: evidence, ...ours } = told("en", said, "\n");
  return { evidence, ...ours };
}
