import type { Completion, CompletionConfig, ResourceType } from "../../model/flow/agent-file.ts";
import { type Message, type MessageCode, message } from "../../model/message.ts";
import type { Judgment } from "../../model/records.ts";
import { hasSignal, type StepAnswer } from "./structured-signal.ts";

/** What completion is judged by. External, custom and criteria are what `observationsNeeded` asks for, under its keys. */
export interface Observation {
  /** Iterations done, this one included. */
  iterations: number;
  /** Looks at completion, this one included. */
  checks: number;
  /** Whether a closure step has just given the closing signal. */
  terminal: boolean;
  /** Everything the agent has said so far, in any step. */
  texts: readonly string[];
  /** The last answer of each step. */
  answers: readonly StepAnswer[];
  /** Issues, pull requests, files and commands. */
  external: Readonly<Record<string, ExternalState>>;
  /** The keys of issues in `external` that count as closed because our boundary hook will close them after the verdict. */
  closed_by_hook?: readonly string[];
  /** The custom handlers' answers. */
  custom: Readonly<Record<string, boolean>>;
  /** Whether the judge and the checks found all criteria met. */
  criteria: Readonly<Record<string, boolean>>;
}

export interface ExternalState {
  state: string;
  /** An issue's or pull request's number, a file's path, a command line. */
  name: string;
}

export interface CompletionResult {
  complete: boolean;
  /** Several only for a composite. */
  reasons: readonly Message[];
}

/** Whether the flow's completion holds. A condition that was not observed does not hold. */
export function isComplete({ type, config }: Completion, seen: Observation): CompletionResult {
  return type === "composite" ? composed(config, seen) : judge[type](config, seen);
}

type Judge = (config: CompletionConfig, seen: Observation) => CompletionResult;

const judge: Readonly<Record<Exclude<Completion["type"], "composite">, Judge>> = {
  stepMachine: (_, { terminal }) => decided(terminal, message(terminal ? "closing_given" : "closing_not_given", {})),
  externalState: (config, { external, closed_by_hook = [] }) => {
    const key = keyOf(config);
    return closed_by_hook.includes(key) ? stateToCome(config, external[key]) : stateReached(config, external[key]);
  },
  iterationBudget: ({ maxIterations: limit = null }, { iterations: count }) =>
    decided(isReached(count, limit), message("iterations_done", { count, limit })),
  checkBudget: ({ maxChecks: limit = null }, { checks: count }) =>
    decided(isReached(count, limit), message("completion_checks_done", { count, limit })),
  keywordSignal: ({ completionKeyword: keyword = "" }, { texts }) => {
    const isSaid = keyword !== "" && texts.some((text) => text.includes(keyword));
    return decided(isSaid, message(isSaid ? "keyword_said" : "keyword_not_said", { keyword }));
  },
  structuredSignal: (config, { answers }) => {
    const isGiven = hasSignal(config, answers);
    return decided(
      isGiven,
      message(isGiven ? "signal_given" : "signal_not_given", { signal: config.signalType ?? "" }),
    );
  },
  custom: (config, { custom }) => {
    const isDone = custom[keyOf(config)] === true;
    return decided(isDone, message(isDone ? "handler_says_complete" : "handler_says_incomplete", {}));
  },
  criteria: (config, { criteria }) => {
    const isMet = criteria[keyOf(config)] === true;
    return decided(isMet, message(isMet ? "flow_criteria_met" : "flow_criteria_unmet", {}));
  },
};

/** By default a pull request must be merged: closing it is not enough. */
const TARGETS: Readonly<Record<ResourceType, string>> = {
  issue: "CLOSED",
  pr: "MERGED",
  file: "EXISTS",
  command: "PASSED",
};

/** Whether the state that was read is the one waited for; case does not matter. A merged pull request is also closed. */
function stateReached(config: CompletionConfig, read: ExternalState | undefined): CompletionResult {
  const { resourceType: resource = "issue", targetState: target = TARGETS[resource] } = config;
  if (read === undefined) return decided(false, message("state_unread", { resource }));
  const { state, name } = read;
  const [is, wanted] = [normal(state), normal(target)];
  const isReached = is === wanted || (is === "merged" && wanted === "closed");
  if (isReached) return decided(true, message("state_reached", { resource, name, state }));
  return decided(false, message("state_not_reached", { resource, name, state, target }));
}

/** Whether our own boundary hook will bring about the state that is waited for. It has not acted yet, and may fail. */
function stateToCome(config: CompletionConfig, read: ExternalState | undefined): CompletionResult {
  const { state = "" } = read ?? {};
  const { resourceType = "issue", targetState: target = TARGETS[resourceType] } = config;
  if (normal(state) === normal(target)) return decided(true, message("closing_left_to_hook", {}));
  return decided(false, message("hook_reaches_other_state", { state, target }));
}

const SAME: Readonly<Record<string, string>> = {
  success: "passed",
  failure: "failed",
  present: "exists",
  absent: "missing",
};

function normal(state: string): string {
  const plain = state.trim().toLowerCase();
  return SAME[plain] ?? plain;
}

/** `and`: every condition, and at least one. `or`: any. `first`: the first that holds, in order, decides and gives the reason. */
function composed({ operator = "and", conditions = [] }: CompletionConfig, seen: Observation): CompletionResult {
  const results = conditions.map((condition) => isComplete(condition, seen));
  const met = results.filter(({ complete }) => complete);
  const [first] = met;
  if (!first || (operator === "and" && met.length < results.length)) {
    const unmet = results.filter(({ complete }) => !complete);
    return { complete: false, reasons: unmet.length > 0 ? reasonsOf(unmet) : [message("completion_empty", {})] };
  }
  return operator === "first" ? first : { complete: true, reasons: reasonsOf(met) };
}

function reasonsOf(results: readonly CompletionResult[]): Message[] {
  return results.flatMap(({ reasons }) => reasons);
}

const BUDGETS: ReadonlySet<MessageCode> = new Set(["iterations_done", "completion_checks_done"]);

/** Whether a flow is complete for no other reason than that its budgets are used up. */
export function isByBudget({ reasons = [] }: Pick<Judgment, "reasons">): boolean {
  return reasons.length > 0 && reasons.every(({ code }) => BUDGETS.has(code));
}

const UNSAID: ReadonlySet<MessageCode> = new Set(["keyword_not_said", "signal_not_given"]);

/** The signals that completion still waits for. */
export function unsaidIn({ complete, reasons }: CompletionResult): readonly Message[] {
  return complete ? [] : reasons.filter(({ code }) => UNSAID.has(code));
}

function isReached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}

function decided(complete: boolean, reason: Message): CompletionResult {
  return { complete, reasons: [reason] };
}

/** Something to find out before completion can be judged. The finding goes under the key. */
export interface ObservationNeed {
  key: string;
  config: CompletionConfig;
}

/** All that must be found out, for nested conditions too, each once. */
export function observationsNeeded(completion: Completion): {
  external: ObservationNeed[];
  custom: ObservationNeed[];
  criteria: ObservationNeed[];
  /** Whether what the steps have said counts. */
  words: boolean;
} {
  const all = withNested(completion);
  const of = (type: Completion["type"]) => {
    const needs = all.filter((one) => one.type === type).map(({ config }) => [keyOf(config), config] as const);
    return [...new Map(needs)].map(([key, config]) => ({ key, config }));
  };
  const words = all.some(({ type }) => type === "keywordSignal" || type === "structuredSignal");
  return { external: of("externalState"), custom: of("custom"), criteria: of("criteria"), words };
}

/** Conditions that look at the same thing share a key, whatever answer they expect. */
function keyOf({ resourceType, resourceParam, path, command, handlerPath, criteria }: CompletionConfig): string {
  return JSON.stringify({ resourceType, resourceParam, path, command, handlerPath, criteria });
}

function withNested(completion: Completion): Completion[] {
  return [completion, ...(completion.config.conditions ?? []).flatMap(withNested)];
}

/** Whether budgets alone, without any signal, end the flow here. */
export function closesByItself(completion: Completion, spent: Pick<Observation, "iterations" | "checks">): boolean {
  const nothing = { terminal: false, texts: [], answers: [], external: {}, custom: {}, criteria: {} };
  return isComplete(completion, { ...nothing, ...spent }).complete;
}

/** How many iterations may be used: the completion's own number, or else the default, but never less than a nested budget needs. */
export function iterationLimit(completion: Completion, fallback: number): number {
  return completion.config.maxIterations ?? Math.max(fallback, needed(completion));
}

function needed({ type, config }: Completion): number {
  if (type === "checkBudget") return config.maxChecks ?? 0;
  return Math.max(config.maxIterations ?? 0, ...(config.conditions ?? []).map(needed));
}
