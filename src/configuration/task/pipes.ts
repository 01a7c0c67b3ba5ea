import type { Criterion } from "../../model/criterion.ts";
import { type Notice, notice } from "../../model/notices.ts";
import { beforeACommand, shellTokens } from "../../model/shell-words.ts";

/** A notice for every check whose failure a pipe would hide. */
export function pipeNotices(criteria: readonly Criterion[]): Notice[] {
  return criteria
    .filter((criterion) => criterion.type === "command")
    .filter(({ command, pipefail }) => !pipefail && hidesExitCode(command))
    .map(({ command }) => notice("pipe_hides_exit", { command }));
}

/**
 * Whether a pipe hides the exit code of what stands before it. Pipes inside `$( )`, quotes, `[[ ]]` and `(( ))` decide
 * nothing. The alternatives of a `case` are taken for pipes: a needless warning, never a missing one.
 */
export function hidesExitCode(command: string): boolean {
  let words: string[] = [];
  let pipefail = false;
  for (const token of shellTokens(command)) {
    if (token.type === "word") words.push(token.text);
    if (token.type !== "operator" || isInsideTest(words)) continue;
    if ((token.text === "|" || token.text === "|&") && !pipefail) return true;
    pipefail = pipefailAfter(words, pipefail);
    words = [];
  }
  return false;
}

function isInsideTest(words: readonly string[]): boolean {
  return words.find((word) => !beforeACommand.has(word)) === "[[" && !words.includes("]]");
}

/** `set -o pipefail`, also among other options as in `set -euo pipefail`, and its opposite. */
function pipefailAfter(words: readonly string[], before: boolean): boolean {
  const option = words.indexOf("pipefail");
  if (words[0] !== "set" || option < 2) return before;
  const sign = words[option - 1] ?? "";
  return /^-\w*o$/.test(sign) || (before && !/^\+\w*o$/.test(sign));
}
