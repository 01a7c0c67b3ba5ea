import { isEvaluator, isShell, nameOf, runsCode } from "./programs.ts";
import { shellCommands } from "./shell-commands.ts";

const BUILTINS = new Set(["let", "trap", "alias", "declare", "typeset", "local", "unset", "ssh", "su", "parallel"]);
const ARITHMETIC = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

/** Whether some command reads what it is given as code once more: then a quoted value is no longer safe in it. */
export function evaluatesAgain(command: string): boolean {
  return shellCommands(command).some(({ words }) =>
    words.some((word, index) => doesSo(nameOf(word), words.slice(index + 1))),
  );
}

function doesSo(name: string, rest: readonly string[]): boolean {
  if (isEvaluator(name) || BUILTINS.has(name)) return true;
  if (name === "[[" || name === "test" || name === "[") return rest.some((word) => ARITHMETIC.test(word));
  if (/^(?:sed|awk|gawk|mawk)$/.test(name)) return true;
  const hasCode = rest.some((word) => /^(?:-[a-zA-Z]*[ce]|--eval|--command|--print|-p|-r|eval)$/.test(word));
  return hasCode && (isShell(name) || runsCode(name));
}
