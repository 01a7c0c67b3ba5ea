import type { Place } from "../../connection/ports/workspace.ts";
import { evaluateOutcome } from "../../judgment/flow/conditions.ts";
import { extractFileParams, extractParams } from "../../judgment/flow/extract-params.ts";
import { handoffValues } from "../../judgment/flow/handoff.ts";
import { interpolate } from "../../judgment/flow/interpolate.ts";
import { isTrackerQuestion } from "../../judgment/shell/boundary-commands.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Handoff } from "../../model/flow/position.ts";
import type { CompletionStep, Validator } from "../../model/flow/steps-registry.ts";
import { textOf } from "../../model/json.ts";
import { asMessage, type Message, message, type Statement } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { fillTemplate } from "../../model/template.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import { FLAKY_PASSES } from "../goal/flaky.ts";
import { judgeAlone } from "../goal/judge.ts";
import { haltIfAborted } from "../halt.ts";
import { checkLimit, type RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";
import { answerOf, loadFunction } from "./modules.ts";
import { forJudge } from "./step-summary.ts";

/** How one completion condition came out. */
export interface ConditionOutcome {
  validator: string;
  passed: boolean;
  /** Absent where only a judge has spoken. */
  outcome?: Message;
  /** The end of the command's output, the module's reason, or the judge's words; quoted. */
  evidence: string;
  /** No work could change it: the command does not exist or cannot be run. */
  unrecoverable: boolean;
  failurePattern?: string;
  /** For the retry prompt. */
  params: Record<string, unknown>;
  passes?: Evaluation["passes"];
  is_flaky?: boolean;
}

export type Condition = CompletionStep["completionConditions"][number];

/** What a condition is checked with. */
export interface ConditionRequest {
  condition: Condition;
  summary: ExecutionSummary;
  handoff: Handoff;
  /** For `{uv-…}` in the author's own text. */
  variables: Readonly<Record<string, string>>;
  /** A clean checkout for commands and files. */
  place?: Place | undefined;
  /** The names of conditions that have failed on the same files. */
  suspects?: readonly string[];
}

/** Runs one condition. A command that has failed on the same files must pass three times in a row. */
export async function* surelyRun(
  context: RunContext,
  run: FlowRun,
  request: ConditionRequest,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const { validator } = request.condition;
  const isCommand = run.definition.registry.validators[validator]?.type === "command";
  const isSuspect = isCommand && (request.suspects?.includes(validator) ?? false);
  const needed = isSuspect ? FLAKY_PASSES : 1;
  for (let passed = 0; ; ) {
    const outcome = yield* runCondition(context, run, request);
    if (outcome.passed) passed += 1;
    if (outcome.passed && passed < needed) continue;
    const is_flaky = isSuspect && passed > 0;
    return { ...outcome, ...(is_flaky && { is_flaky, passes: { passed, needed } }) };
  }
}

/** Runs one condition. A condition that cannot be run has failed; it never passes. */
async function* runCondition(
  context: RunContext,
  run: FlowRun,
  request: ConditionRequest,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const { condition } = request;
  const validator = run.definition.registry.validators[condition.validator];
  if (!validator) return unusable(condition.validator, message("validator_missing", {}));
  const values = valuesFor(run, request);
  const missing = missingIn(validator.command ?? validator.path ?? "", values);
  if (missing) return unusable(condition.validator, missing);
  const kinds = { command: runCommand, file: lookForFile, custom: runCustom, semantic: askJudge };
  const result = yield* kinds[validator.type](context, run, { ...request, validator, values });
  return { ...result, ...(validator.failurePattern && { failurePattern: validator.failurePattern }) };
}

interface ConditionRun extends ConditionRequest {
  validator: Validator;
  /** For `${…}` in a command or a path. */
  values: Readonly<Record<string, unknown>>;
}

const DEFAULT_TIMEOUT_SECONDS = 120;

function secondsFor({ timeout }: Validator): number {
  return timeout ? timeout / 1000 : DEFAULT_TIMEOUT_SECONDS;
}

/** Runs a command condition before the first work. Undefined: it is another kind of condition, or needs what no step has handed on yet. */
export async function* runBefore(
  context: RunContext,
  run: FlowRun,
  condition: Condition,
): AsyncGenerator<RunEvent, ConditionOutcome | undefined> {
  const validator = run.definition.registry.validators[condition.validator];
  if (validator?.type !== "command") return undefined;
  const values = valuesFor(run, { condition, handoff: {} });
  if (missingIn(validator.command ?? "", values)) return undefined;
  return yield* runCommand(context, run, { condition, validator, summary: { iteration: 0 }, values });
}

interface CommandRun extends Pick<ConditionRun, "condition" | "validator" | "values" | "place"> {
  summary: Pick<ExecutionSummary, "iteration">;
}

async function* runCommand(
  context: RunContext,
  _: FlowRun,
  { condition, validator, summary, values, place }: CommandRun,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const filled = interpolate(validator.command ?? "", values);
  if ("problem" in filled) return unusable(condition.validator, filled.problem);
  const limit = checkLimit(context.configuration, validator.timeout && validator.timeout / 1000);
  const request = { command: filled.command, arguments: filled.args, timeout_seconds: limit.seconds };
  const ended = await context.ports.commands.run(
    { ...request, pipefail: false, separate_stdout: true, ...(place && { place }), ...asking(validator) },
    context.signal,
  );
  haltIfAborted(context.signal);
  yield { type: "spent", total: await context.meter.charge("checks", summary.iteration, NOTHING_SPENT) };
  const { passed, unrecoverable, reason: outcome } = evaluateOutcome(validator, ended, limit);
  const params = { ...condition.params, ...extractParams(validator.extractParams, ended) };
  const evidence = passed ? "" : ended.output_tail.trim();
  return { validator: condition.validator, passed, outcome, evidence, unrecoverable, params };
}

/** A condition that only asks the tracker has the user's login. */
function asking({ command = "" }: Validator): { runs_as?: "user" } {
  return isTrackerQuestion(command) ? { runs_as: "user" } : {};
}

async function* lookForFile(
  context: RunContext,
  _: FlowRun,
  { condition, validator, values, place }: ConditionRun,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const path = filledPath(validator.path ?? "", values);
  const request = { command: 'test -e "$1"', arguments: [path], timeout_seconds: DEFAULT_TIMEOUT_SECONDS };
  const { exit_code } = await context.ports.commands.run(
    { ...request, pipefail: false, ...(place && { place }) },
    context.signal,
  );
  haltIfAborted(context.signal);
  const passed = exit_code === 0;
  return {
    validator: condition.validator,
    passed,
    outcome: message(passed ? "path_exists" : "file_missing", { path }),
    evidence: "",
    unrecoverable: false,
    params: { ...condition.params, path, ...extractFileParams(validator.extractParams, { path, isThere: passed }) },
  };
}

/** A path is a single argument, so its parameters need no quoting. */
function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(NAMED, (whole, name: string) => (values[name] === undefined ? whole : textOf(values[name])));
}

/** A module's default export: `(params, { output, parameters, handoff }) => boolean | { passed, reason?, params? }`. */
async function* runCustom(
  context: RunContext,
  run: FlowRun,
  { condition, validator, summary, handoff }: ConditionRun,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const { validator: name, params = {} } = condition;
  const output = summary.flow?.output ?? null;
  const ask = async () => {
    const handler = await loadFunction(context, run, validator.handlerPath ?? "");
    return readVerdict(await handler(params, { output, parameters: run.parameters, handoff }));
  };
  const answered = await answerOf(ask, context, secondsFor(validator));
  if ("answer" in answered) {
    const { params: found, ...verdict } = answered.answer;
    return { validator: name, unrecoverable: false, ...verdict, params: { ...params, ...found } };
  }
  if (answered.isLate) return { ...unusable(name, answered.problem), unrecoverable: false };
  return unusable(name, message("module_failed", { problem: answered.problem }));
}

interface ModuleVerdict {
  passed: unknown;
  reason?: unknown;
  params?: Record<string, unknown>;
}

function readVerdict(said: unknown): Pick<ConditionOutcome, "passed" | "outcome" | "evidence" | "params"> {
  const verdict = typeof said === "object" && said !== null ? (said as ModuleVerdict) : { passed: said };
  const passed = verdict.passed === true;
  const outcome = message(passed ? "module_passes" : "module_refuses", {});
  return { passed, outcome, evidence: textOf(verdict.reason), params: verdict.params ?? {} };
}

async function* askJudge(
  context: RunContext,
  _: FlowRun,
  { condition, validator, summary, variables }: ConditionRun,
): AsyncGenerator<RunEvent, ConditionOutcome> {
  const text = fillTemplate({ file: condition.validator, text: validator.prompt ?? "" }, variables);
  const judgment = yield* judgeAlone(
    context,
    { task: summary.approach, criteria: [{ type: "semantic", text }] },
    { summary: forJudge(summary) },
  );
  const [evaluation] = judgment.evaluations;
  return {
    validator: condition.validator,
    passed: judgment.is_complete,
    ...(evaluation?.outcome && { outcome: evaluation.outcome }),
    evidence: evaluation?.evidence ?? "",
    unrecoverable: false,
    params: { ...condition.params, suggestion: judgment.suggested_next_action },
  };
}

const NAMED = /\$\{([\w.-]+)\}/g;

/** Of values with the same name, the condition's win, then parameters, then what was handed on. */
function valuesFor(
  { definition, parameters }: FlowRun,
  { condition, handoff }: Pick<ConditionRequest, "condition" | "handoff">,
): Record<string, unknown> {
  return { ...handoffValues(definition.registry.steps, handoff), ...parameters, ...condition.params };
}

/** A value that no step has handed on must not silently become the empty text. */
function missingIn(text: string, values: Readonly<Record<string, unknown>>): Message | undefined {
  const asked = [...text.matchAll(NAMED)].map(([, name = ""]) => name);
  const name = asked.find((one) => Object.hasOwn(values, one) && values[one] === undefined);
  return name === undefined ? undefined : message("value_not_handed_on", { name });
}

function unusable(validator: string, problem: Statement): ConditionOutcome {
  return { validator, passed: false, outcome: asMessage(problem), evidence: "", unrecoverable: true, params: {} };
}
