import type { Completion, CompletionConfig } from "../../model/flow/agent-file.ts";
import { joined, type Words } from "../../model/statement.ts";
import { stateReached, stateToCome } from "./external-state.ts";
import { hasSignal } from "./structured-signal.ts";

/** All that completion is judged by. External, custom and criteria are what `observationsNeeded` asks for, under its keys. */
export interface Observation {
  /** Iterations done, this one included. */
  iterations: number;
  /** Looks at completion, this one included. */
  checks: number;
  /** Whether a closure step has just given the closing signal. */
  terminal: boolean;
  /** What the assistant said. */
  texts: readonly string[];
  /** The steps' structured outputs. */
  outputs: readonly unknown[];
  /** States of the outside. */
  external: Readonly<Record<string, string>>;
  /** The keys of issues in `external` that count as closed because our boundary hook will close them after the verdict. */
  closed_by_hook?: readonly string[];
  /** What custom handlers said. */
  custom: Readonly<Record<string, boolean>>;
  /** What the judge and the checks said. */
  criteria: Readonly<Record<string, boolean>>;
}

export interface CompletionResult {
  complete: boolean;
  reason: Words;
}

/** Whether the agent's completion holds. What was not observed does not hold. */
export function isComplete({ type, config }: Completion, seen: Observation): CompletionResult {
  return type === "composite" ? composed(config, seen) : judge[type](config, seen);
}

type Judge = (config: CompletionConfig, seen: Observation) => CompletionResult;

const judge: Readonly<Record<Exclude<Completion["type"], "composite">, Judge>> = {
  stepMachine: (_, { terminal }) => result(terminal, SAID.closing, SAID.notClosing),
  externalState: (config, { external, closed_by_hook = [] }) => {
    const key = keyOf(config);
    return closed_by_hook.includes(key) ? stateToCome(config, external[key]) : stateReached(config, external[key]);
  },
  iterationBudget: ({ maxIterations = Infinity }, { iterations }) => counted(ITERATIONS, iterations, maxIterations),
  checkBudget: ({ maxChecks = Infinity }, { checks }) => counted(CHECKS, checks, maxChecks),
  keywordSignal: ({ completionKeyword: keyword = "" }, { texts }) => {
    const isSaid = keyword !== "" && texts.some((text) => text.includes(keyword));
    return result(
      isSaid,
      { en: `the text contains ${keyword}`, ja: `応答に ${keyword} があります` },
      { en: `the text does not contain ${keyword}`, ja: `応答に ${keyword} がありません` },
    );
  },
  structuredSignal: (config, seen) => {
    const en = `the signal ${config.signalType} with its required fields`;
    const ja = `必須の項目を備えたシグナル ${config.signalType}`;
    return result(
      hasSignal(config, seen),
      { en: `the output carries ${en}`, ja: `出力に${ja} があります` },
      { en: `the output does not carry ${en}`, ja: `出力に${ja} がありません` },
    );
  },
  custom: (config, { custom }) => result(custom[keyOf(config)] === true, SAID.yes, SAID.no),
  criteria: (config, { criteria }) => result(criteria[keyOf(config)] === true, SAID.met, SAID.unmet),
};

const SAID = {
  closing: { en: "a closure step gave the closing signal", ja: "クロージャーのステップが closing を返しました" },
  notClosing: { en: "no closing signal yet", ja: "closing はまだ返されていません" },
  yes: { en: "the handler says so", ja: "ハンドラーが完了と判断しました" },
  no: { en: "the handler says no", ja: "ハンドラーが未完了と判断しました" },
  met: { en: "every criterion is met", ja: "すべての条件を満たしています" },
  unmet: { en: "not every criterion is met", ja: "満たしていない条件があります" },
  none: { en: "there are no conditions", ja: "条件がありません" },
} as const satisfies Record<string, Words>;

/** `and`: every condition, and at least one. `or`: any. `first`: the first that holds, in order, decides and gives the reason. */
function composed({ operator = "and", conditions = [] }: CompletionConfig, seen: Observation): CompletionResult {
  const results = conditions.map((condition) => isComplete(condition, seen));
  const met = results.filter(({ complete }) => complete);
  const [first] = met;
  if (!first || (operator === "and" && met.length < results.length)) {
    const unmet = results.filter(({ complete }) => !complete);
    return { complete: false, reason: unmet.length > 0 ? reasons(unmet) : SAID.none };
  }
  return operator === "first" ? first : { complete: true, reason: reasons(met) };
}

function reasons(results: readonly CompletionResult[]): Words {
  return joined(
    results.map(({ reason }) => reason),
    "; ",
  );
}

const ITERATIONS: Words = { en: "iterations", ja: "イテレーション" };
const CHECKS: Words = { en: "checks", ja: "完了の確認" };

function counted(what: Words, count: number, limit: number): CompletionResult {
  const reason = {
    en: `${count} of ${limit} ${what.en} done`,
    ja: `${what.ja} ${limit} 回のうち ${count} 回を終えました`,
  };
  return { complete: count >= limit, reason };
}

function result(complete: boolean, whenComplete: Words, otherwise: Words): CompletionResult {
  return { complete, reason: complete ? whenComplete : otherwise };
}

/** One thing to find out before completion can be judged; what is found goes under the key. */
export interface ObservationNeed {
  key: string;
  config: CompletionConfig;
}

/** What to look at and whom to ask, nested conditions included, each once. */
export function observationsNeeded(completion: Completion): {
  external: ObservationNeed[];
  custom: ObservationNeed[];
  criteria: ObservationNeed[];
} {
  const all = withNested(completion);
  const of = (type: Completion["type"]) => {
    const needs = all.filter((one) => one.type === type).map(({ config }) => [keyOf(config), config] as const);
    return [...new Map(needs)].map(([key, config]) => ({ key, config }));
  };
  return { external: of("externalState"), custom: of("custom"), criteria: of("criteria") };
}

/** Two conditions that ask the same of the same share a key; what they expect of the answer is not part of it. */
function keyOf({ resourceType, resourceParam, path, command, handlerPath, criteria }: CompletionConfig): string {
  return JSON.stringify({ resourceType, resourceParam, path, command, handlerPath, criteria });
}

function withNested(completion: Completion): Completion[] {
  return [completion, ...(completion.config.conditions ?? []).flatMap(withNested)];
}

/** Whether budgets alone, without any signal, end the agent here. */
export function closesByItself(completion: Completion, spent: Pick<Observation, "iterations" | "checks">): boolean {
  const nothing = { terminal: false, texts: [], outputs: [], external: {}, custom: {}, criteria: {} };
  return isComplete(completion, { ...nothing, ...spent }).complete;
}

/**
 * How many iterations may be used. A number the completion states itself is the limit; otherwise the default, but
 * never less than a nested budget needs.
 */
export function iterationLimit(completion: Completion, fallback: number): number {
  return completion.config.maxIterations ?? Math.max(fallback, needed(completion));
}

function needed({ type, config }: Completion): number {
  if (type === "checkBudget") return config.maxChecks ?? 0;
  return Math.max(config.maxIterations ?? 0, ...(config.conditions ?? []).map(needed));
}
