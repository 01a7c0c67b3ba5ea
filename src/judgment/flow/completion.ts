import type { Completion, CompletionConfig } from "../../model/definition/agent-file.ts";
import { stateReached } from "./external-state.ts";
import { answerKey } from "./observations.ts";
import { hasSignal } from "./structured-signal.ts";

/** The word of a custom handler or of the judge and the checks. */
export interface Answer {
  complete: boolean;
  reason: string;
}

/** All that completion is judged by. */
export interface Observation {
  /** Iterations done, this one included. */
  iterations: number;
  /** Looks at completion, this one included. */
  checks: number;
  /** Everything the assistant said in this iteration. */
  text: string;
  /** The step's structured output. */
  output: unknown;
  /** Whether a closure step has just given the closing signal. */
  closing: boolean;
  /** The states that the caller read, by the key of `observationsNeeded`. */
  external: Readonly<Record<string, string>>;
  /** What custom handlers and criteria said, by the key of `observationsNeeded`. */
  answers: Readonly<Record<string, Answer>>;
}

export interface CompletionResult extends Answer {
  /** The type of the condition that decided. */
  fired?: string;
}

const DEFAULT_CHECKS = 10;
const DEFAULT_KEYWORD = "TASK_COMPLETE";

/** Whether the agent's completion holds. What was not observed does not hold. */
export function isComplete(completion: Completion, seen: Observation): CompletionResult {
  if (completion.type === "composite") return composed(completion.config, seen);
  const result = judge[completion.type](completion.config, seen, completion);
  return result.complete ? { ...result, fired: completion.type } : result;
}

type Judge = (config: CompletionConfig, seen: Observation, completion: Completion) => Answer;

const judge = {
  stepMachine: (_, { closing }) => answer(closing, "a closure step gave the closing signal", "no closing signal yet"),
  externalState: (config, { external }, completion) => stateReached(config, external[answerKey(completion)]),
  iterationBudget: ({ maxIterations = Infinity }, { iterations }) => counted("iterations", iterations, maxIterations),
  checkBudget: ({ maxChecks = DEFAULT_CHECKS }, { checks }) => counted("checks", checks, maxChecks),
  keywordSignal: ({ completionKeyword = DEFAULT_KEYWORD }, { text }) =>
    answer(
      completionKeyword !== "" && text.includes(completionKeyword),
      `the text contains ${completionKeyword}`,
      `the text does not contain ${completionKeyword}`,
    ),
  structuredSignal: (config, { output, text }) =>
    answer(
      hasSignal(config, output, text),
      `the output carries the signal ${config.signalType}`,
      `the output does not carry the signal ${config.signalType} with its required fields`,
    ),
  custom: (_, { answers }, completion) => given(answers, completion),
  criteria: (_, { answers }, completion) => given(answers, completion),
} as const satisfies Record<Exclude<Completion["type"], "composite">, Judge>;

/** `and`: every condition, and at least one. `or`: any. `first`: the first that holds, in order, decides and gives the reason. */
function composed({ operator = "and", conditions = [] }: CompletionConfig, seen: Observation): CompletionResult {
  const results = conditions.map((condition) => isComplete(condition, seen));
  const met = results.filter(({ complete }) => complete);
  const reasons = (of: readonly CompletionResult[]) => of.map(({ reason }) => reason).join("; ");
  const complete = operator === "and" ? met.length > 0 && met.length === results.length : met.length > 0;
  if (!complete) {
    const unmet = results.filter((result) => !result.complete);
    return { complete, reason: reasons(unmet) || "there are no conditions" };
  }
  const [first] = met;
  if (operator === "first" && first) return first;
  return { complete, reason: reasons(met), fired: met.map(({ fired }) => fired).join(` ${operator} `) };
}

function counted(what: string, count: number, limit: number): Answer {
  return { complete: count >= limit, reason: `${count} of ${limit} ${what} done` };
}

function given(answers: Observation["answers"], completion: Completion): Answer {
  const { complete, reason } = answers[answerKey(completion)] ?? { complete: false, reason: "nobody was asked" };
  return { complete, reason };
}

function answer(complete: boolean, whenComplete: string, otherwise: string): Answer {
  return { complete, reason: complete ? whenComplete : otherwise };
}

/**
 * How many iterations may be used. A number the completion states itself is the limit; otherwise the default, but
 * never less than a nested budget needs.
 */
export function iterationLimit(completion: Completion, fallback: number): number {
  return completion.config.maxIterations ?? Math.max(fallback, needed(completion));
}

function needed({ type, config }: Completion): number {
  if (type === "checkBudget") return config.maxChecks ?? DEFAULT_CHECKS;
  return Math.max(config.maxIterations ?? 0, ...(config.conditions ?? []).map(needed));
}
