import type { CompletionStep, SuccessWhen, Validator } from "../../model/flow/steps-registry.ts";
import { type Message, message, type Statement } from "../../model/message.ts";
import type { TimeLimit } from "../../model/messages/system.ts";

/** How a validator's command ended. A CommandOutcome fits. */
export interface ValidatorOutcome {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  start_error: Statement | null;
  /** Stdout alone; where it was not kept apart, `output_tail` stands for it. */
  stdout?: string;
  /** The end of stdout and stderr together. */
  output_tail: string;
}

export interface ConditionResult {
  passed: boolean;
  /** Trying again cannot help: the command itself cannot be run. */
  unrecoverable: boolean;
  reason: Message;
}

/** Whether a command validator's success condition holds. A command that did not run to its end never passes. */
export function evaluateOutcome(validator: Validator, outcome: ValidatorOutcome, limit: TimeLimit): ConditionResult {
  const wanted = validator.successWhen;
  const expected = wanted.kind === "exitCode" && wanted.code === outcome.exit_code;
  const unfinished = whyUnfinished(outcome, limit, expected);
  if (unfinished) return { passed: false, unrecoverable: outcome.start_error !== null, reason: unfinished };
  if (!expected && (outcome.exit_code === 126 || outcome.exit_code === 127)) {
    const reason = message("command_not_runnable", { exit_code: outcome.exit_code });
    return { passed: false, unrecoverable: true, reason };
  }
  return { ...holds(wanted, outcome), unrecoverable: false };
}

export function stdoutOf({ stdout, output_tail }: Pick<ValidatorOutcome, "stdout" | "output_tail">): string {
  return stdout ?? output_tail;
}

/** `isExpected`: the exit code is the one that is wanted, even if it stands for a signal. */
function whyUnfinished(
  { start_error, timed_out, signal, exit_code }: ValidatorOutcome,
  limit: TimeLimit,
  isExpected: boolean,
): Message | undefined {
  if (start_error !== null) return message("command_not_started", { problem: start_error });
  if (timed_out) return message("command_timed_out", { limit });
  const isKilled = exit_code === null || (signal !== null && !isExpected);
  return isKilled ? message("command_killed", { signal: signal ?? "?" }) : undefined;
}

type SuccessResult = Pick<ConditionResult, "passed" | "reason">;

function holds(wanted: SuccessWhen, outcome: ValidatorOutcome): SuccessResult {
  const { exit_code } = outcome;
  switch (wanted.kind) {
    case "empty":
      return isSilent(outcome);
    case "exitCode":
      return {
        passed: exit_code === wanted.code,
        reason: message("exit_code_compared", { exit_code, expected: wanted.code }),
      };
    case "contains": {
      const passed = stdoutOf(outcome).includes(wanted.text);
      return { passed, reason: message(passed ? "output_contains" : "output_lacks", { text: wanted.text }) };
    }
    case "matches":
      return matches(wanted.pattern, stdoutOf(outcome));
  }
}

/**
 * Nothing on stdout. A failed command may be silent because it failed, so it must have exited 0; exit 1 without any output counts
 * too, because that is how grep says that it found nothing.
 */
function isSilent(outcome: ValidatorOutcome): SuccessResult {
  const { exit_code, output_tail } = outcome;
  if (stdoutOf(outcome).trim() !== "") return { passed: false, reason: message("output_not_empty", {}) };
  const passed = exit_code === 0 || (exit_code === 1 && output_tail.trim() === "");
  return { passed, reason: passed ? message("output_empty", {}) : message("output_empty_but_failed", { exit_code }) };
}

function matches(pattern: string, text: string): SuccessResult {
  try {
    const passed = new RegExp(pattern).test(text);
    return { passed, reason: message(passed ? "output_matches" : "output_does_not_match", { pattern }) };
  } catch {
    return { passed: false, reason: message("pattern_invalid", { pattern }) };
  }
}

export type ConditionsVerdict = "done" | "retry" | "abort" | "skip";

/**
 * What follows from a closure step's conditions. `attempts`: how often they have failed, this time included. `skip`: they failed,
 * but the definition says to go on.
 */
export function verdict(
  results: readonly Pick<ConditionResult, "passed" | "unrecoverable">[],
  { action, maxAttempts }: CompletionStep["onFailure"],
  attempts: number,
): ConditionsVerdict {
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return "done";
  if (failed.some(({ unrecoverable }) => unrecoverable)) return "abort";
  if (action === "retry") return attempts >= maxAttempts ? "abort" : "retry";
  return action;
}
