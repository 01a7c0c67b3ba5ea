import type { CompletionStep, SuccessWhen, Validator } from "../../model/flow/steps-registry.ts";
import { type Statement, type Words, worded } from "../../model/statement.ts";

/** How a validator's command ended. A CommandOutcome fits. */
export interface ValidatorOutcome {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  start_error: Statement | null;
  /** Stdout alone; where nobody separated it, `output_tail` stands for it. */
  stdout?: string;
  /** The end of stdout and stderr together. */
  output_tail: string;
}

export interface ConditionResult {
  passed: boolean;
  /** Trying again cannot help: the command itself cannot be run. */
  unrecoverable: boolean;
  reason: Words;
}

/** Whether a command validator's success condition holds. A command that did not run to its end never passes. */
export function evaluateOutcome(validator: Validator, outcome: ValidatorOutcome): ConditionResult {
  const unfinished = whyUnfinished(outcome);
  if (unfinished) return { passed: false, unrecoverable: outcome.start_error !== null, reason: unfinished };
  const wanted = validator.successWhen;
  const expected = wanted.kind === "exitCode" && wanted.code === outcome.exit_code;
  if (!expected && (outcome.exit_code === 126 || outcome.exit_code === 127)) {
    return { passed: false, unrecoverable: true, reason: cannotRun(outcome.exit_code) };
  }
  return { ...holds(wanted, outcome), unrecoverable: false };
}

export function stdoutOf({ stdout, output_tail }: Pick<ValidatorOutcome, "stdout" | "output_tail">): string {
  return stdout ?? output_tail;
}

function cannotRun(code: number): Words {
  return { en: `exit code ${code}: the command cannot be run`, ja: `終了コード ${code}: コマンドを実行できません` };
}

function whyUnfinished({ start_error, timed_out, signal, exit_code }: ValidatorOutcome): Words | undefined {
  if (start_error !== null)
    return worded(
      (say) => `could not be started: ${say(start_error)}`,
      (say) => `起動できませんでした: ${say(start_error)}`,
    );
  if (timed_out) return { en: "timed out", ja: "タイムアウトしました" };
  if (signal !== null) return { en: `ended by signal ${signal}`, ja: `シグナル ${signal} で終了しました` };
  return exit_code === null ? { en: "ended without an exit code", ja: "終了コードなしで終わりました" } : undefined;
}

interface Held {
  passed: boolean;
  reason: Words;
}

function holds(wanted: SuccessWhen, outcome: ValidatorOutcome): Held {
  switch (wanted.kind) {
    case "empty":
      return saysNothing(outcome);
    case "exitCode":
      return {
        passed: outcome.exit_code === wanted.code,
        reason: {
          en: `exit code ${outcome.exit_code}, expected ${wanted.code}`,
          ja: `終了コード ${outcome.exit_code}（期待は ${wanted.code}）`,
        },
      };
    case "contains":
      return contains(wanted.text, stdoutOf(outcome));
    case "matches":
      return matches(wanted.pattern, stdoutOf(outcome));
  }
}

/**
 * Nothing on stdout. A command that failed has said nothing because it failed, so it must have exited 0; exit 1 in
 * complete silence counts, too, because that is how grep and its kin say that they found nothing.
 */
function saysNothing(outcome: ValidatorOutcome): Held {
  const { exit_code, output_tail } = outcome;
  if (stdoutOf(outcome).trim() !== "")
    return { passed: false, reason: { en: "the output is not empty", ja: "出力が空ではありません" } };
  const isSilent = exit_code === 0 || (exit_code === 1 && output_tail.trim() === "");
  if (isSilent) return { passed: true, reason: { en: "the output is empty", ja: "出力は空です" } };
  const reason = {
    en: `no output, but exit code ${exit_code}`,
    ja: `出力はありませんが、終了コードは ${exit_code} です`,
  };
  return { passed: false, reason };
}

function contains(wanted: string, text: string): Held {
  return text.includes(wanted)
    ? { passed: true, reason: { en: `the output contains ${wanted}`, ja: `出力に ${wanted} があります` } }
    : { passed: false, reason: { en: `the output does not contain ${wanted}`, ja: `出力に ${wanted} がありません` } };
}

function matches(pattern: string, text: string): Held {
  try {
    return new RegExp(pattern).test(text)
      ? { passed: true, reason: { en: `the output matches ${pattern}`, ja: `出力が ${pattern} に一致します` } }
      : {
          passed: false,
          reason: { en: `the output does not match ${pattern}`, ja: `出力が ${pattern} に一致しません` },
        };
  } catch {
    const reason = { en: `${pattern} is not a regular expression`, ja: `${pattern} は正規表現ではありません` };
    return { passed: false, reason };
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
