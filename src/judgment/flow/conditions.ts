import type { CompletionStep, SuccessWhen, Validator } from "../../model/definition/steps-registry.ts";

/** How a validator's command ended. A CommandOutcome fits. */
export interface ValidatorOutcome {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  start_error: string | null;
  /** Stdout alone; where nobody separated it, `output_tail` stands for it. */
  stdout?: string;
  /** The end of stdout and stderr together. */
  output_tail: string;
}

export interface ConditionResult {
  passed: boolean;
  /** Trying again cannot help: the command itself cannot be run. */
  unrecoverable: boolean;
  reason: string;
}

/** Whether a command validator's success condition holds. A command that did not run to its end never passes. */
export function evaluateOutcome(validator: Validator, outcome: ValidatorOutcome): ConditionResult {
  const unfinished = whyUnfinished(outcome);
  if (unfinished) return { passed: false, unrecoverable: outcome.start_error !== null, reason: unfinished };
  const wanted = validator.successWhen;
  const expected = wanted.kind === "exitCode" && wanted.code === outcome.exit_code;
  if (!expected && (outcome.exit_code === 126 || outcome.exit_code === 127)) {
    const reason = `exit code ${outcome.exit_code}: the command cannot be run`;
    return { passed: false, unrecoverable: true, reason };
  }
  return { ...holds(wanted, outcome), unrecoverable: false };
}

export function stdoutOf({ stdout, output_tail }: Pick<ValidatorOutcome, "stdout" | "output_tail">): string {
  return stdout ?? output_tail;
}

function whyUnfinished({ start_error, timed_out, signal, exit_code }: ValidatorOutcome): string | undefined {
  if (start_error !== null) return `could not be started: ${start_error}`;
  if (timed_out) return "timed out";
  if (signal !== null) return `ended by signal ${signal}`;
  return exit_code === null ? "ended without an exit code" : undefined;
}

function holds(wanted: SuccessWhen, outcome: ValidatorOutcome): { passed: boolean; reason: string } {
  switch (wanted.kind) {
    case "empty":
      return isEmpty(outcome);
    case "exitCode":
      return {
        passed: outcome.exit_code === wanted.code,
        reason: `exit code ${outcome.exit_code}, expected ${wanted.code}`,
      };
    case "contains": {
      const passed = stdoutOf(outcome).includes(wanted.text);
      return { passed, reason: `the output ${passed ? "contains" : "does not contain"} ${wanted.text}` };
    }
    case "matches":
      return matches(wanted.pattern, stdoutOf(outcome));
  }
}

/**
 * Nothing on stdout. A command that failed has said nothing because it failed, so it must have exited 0; exit 1 in
 * complete silence counts, too, because that is how grep and its kin say that they found nothing.
 */
function isEmpty(outcome: ValidatorOutcome): { passed: boolean; reason: string } {
  const { exit_code, output_tail } = outcome;
  if (stdoutOf(outcome).trim() !== "") return { passed: false, reason: "the output is not empty" };
  const passed = exit_code === 0 || (exit_code === 1 && output_tail.trim() === "");
  return { passed, reason: passed ? "the output is empty" : `no output, but exit code ${exit_code}` };
}

function matches(pattern: string, text: string): { passed: boolean; reason: string } {
  try {
    const passed = new RegExp(pattern).test(text);
    return { passed, reason: `the output ${passed ? "matches" : "does not match"} ${pattern}` };
  } catch {
    return { passed: false, reason: `${pattern} is not a regular expression` };
  }
}

export type ConditionsVerdict = "done" | "retry" | "abort" | "skip";

/**
 * What follows from a closure step's conditions. `attempts`: how often they have failed, this time included. `skip`: done
 * although they failed, because the definition says so; that is worth a note.
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
