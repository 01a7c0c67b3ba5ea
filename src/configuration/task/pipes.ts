import { type Command, forEachChild, parse, type SyntaxNode } from "unbash";
import type { Criterion } from "../../model/criterion.ts";
import { type Notice, notice } from "../../model/notices.ts";

/** A notice for every check whose failure a pipe would hide. */
export function pipeNotices(criteria: readonly Criterion[]): Notice[] {
  return criteria
    .filter((criterion) => criterion.type === "command")
    .filter(({ command, pipefail }) => !pipefail && hidesExitCode(command))
    .map(({ command }) => notice("pipe_hides_exit", { command }));
}

/** Whether a pipe hides the exit code of what stands before it. Pipes inside words, such as those of `$( )`, decide nothing. */
export function hidesExitCode(command: string): boolean {
  let pipefail = false;
  let isHidden = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Word") return;
    if (node.type === "Pipeline" && node.commands.length > 1 && !pipefail) isHidden = true;
    forEachChild(node, visit);
    if (node.type === "Command") pipefail = pipefailAfter(node, pipefail);
  };
  visit(parse(command));
  return isHidden;
}

/** `set -o pipefail`, also among other options as in `set -euo pipefail`, and its opposite. */
function pipefailAfter({ name, args }: Command, before: boolean): boolean {
  const words = args.map(({ text }) => text);
  const option = words.indexOf("pipefail");
  if (name?.value !== "set" || option < 1) return before;
  const sign = words[option - 1] ?? "";
  return /^-\w*o$/.test(sign) || (before && !/^\+\w*o$/.test(sign));
}
