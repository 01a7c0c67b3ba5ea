import type { Command } from "commander";
import { bashCompletion } from "../completions/bash.ts";
import { commandTree } from "../completions/command-tree.ts";
import { fishCompletion } from "../completions/fish.ts";
import { zshCompletion } from "../completions/zsh.ts";
import type { CliContext } from "../output.ts";
import { chosenFlag } from "../run-flags.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints a shell's completions, made from the commands as they are declared. */
export function completionCommand(shell: string, program: Command, { output }: CliContext): void {
  const known = chosenFlag({ flag: "<shell>", command: "completion" }, shell, ["bash", "zsh", "fish"]);
  output.result(shells[known](commandTree(program)).trimEnd());
}
