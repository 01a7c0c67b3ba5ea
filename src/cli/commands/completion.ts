import type { Command } from "commander";
import { E8Error } from "../../model/errors.ts";
import { oneOf, unfit } from "../../model/flag-value.ts";
import { bashCompletion } from "../completions/bash.ts";
import { commandTree } from "../completions/command-tree.ts";
import { fishCompletion } from "../completions/fish.ts";
import { zshCompletion } from "../completions/zsh.ts";
import type { CliContext } from "../context.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints a shell's completions, made from the commands as they are declared. */
export function completionCommand(shell: string, program: Command, { output }: CliContext): void {
  if (!Object.hasOwn(shells, shell)) {
    const problem = unfit(shell, oneOf(Object.keys(shells)));
    throw new E8Error("flag_invalid", { flag: "<shell>", problem, command: "completion" });
  }
  output.result(shells[shell as keyof typeof shells](commandTree(program)).trimEnd());
}
