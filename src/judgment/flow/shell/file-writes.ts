import { nameOf } from "./programs.ts";
import { type ShellCommand, shellCommands } from "./shell-commands.ts";

const WRITERS = new Set("touch rm rmdir mv cp ln install truncate dd mkdir chmod chown patch tee rsync".split(" "));
const GIT_WRITERS = new Set(
  "add commit checkout switch restore reset rm mv clean stash apply am merge rebase cherry-pick revert pull push".split(
    " ",
  ),
);
const BEFORE_A_PROGRAM = new Set(["sudo", "command", "exec", "nohup", "time", "env", "xargs"]);

/** The file that a script plainly writes; undefined where none is seen. What a program does inside itself is not seen. */
export function fileWrite(script: string): string | undefined {
  return shellCommands(script)
    .map((command) => redirected(command) ?? writer(command.words))
    .find((found) => found !== undefined);
}

function redirected({ redirections }: ShellCommand): string | undefined {
  const written = redirections.find(
    ({ operator, target }) => operator.includes(">") && !/^(?:\d+|-)$/.test(target) && !isHarmless(target),
  );
  return written && `> ${written.target}`;
}

function writer(words: readonly string[]): string | undefined {
  const start = words.findIndex((word) => !BEFORE_A_PROGRAM.has(nameOf(word)) && !word.startsWith("-"));
  const [program = "", ...rest] = words.slice(Math.max(start, 0));
  const name = nameOf(program);
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (name === "git") return operands[0] && GIT_WRITERS.has(operands[0]) ? `git ${operands[0]}` : undefined;
  const inPlace = /^(?:sed|perl)$/.test(name) && rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
  const writes = inPlace || (WRITERS.has(name) && operands.some((path) => !isHarmless(path)));
  return writes ? name : undefined;
}

/** Devices and temporary directories belong to nobody's work. */
function isHarmless(path: string): boolean {
  return /^\/dev\/|^\/(?:private\/)?(?:tmp|var\/tmp|var\/folders)\//.test(path) && !path.includes("..");
}
