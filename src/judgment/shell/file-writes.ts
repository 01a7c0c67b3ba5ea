import { nameOf, names } from "./programs.ts";
import { programsRun } from "./programs-run.ts";
import type { ShellCommand } from "./shell-commands.ts";

const WRITERS = names("touch rm rmdir mv cp ln install truncate dd mkdir chmod chown patch tee rsync");
const GIT_WRITERS = names(
  "add commit checkout switch restore reset rm mv clean stash apply am merge rebase cherry-pick revert pull push",
);

/** How a script plainly writes files, such as `> a.txt` or `rm`; undefined where no write is seen. */
export function fileWrite(script: string): string | undefined {
  return programsRun(script)
    .programs.map((command) => redirected(command) ?? writer(command.words))
    .find((found) => found !== undefined);
}

function redirected({ redirections }: ShellCommand): string | undefined {
  const written = redirections.find(
    ({ operator, target }) => operator.includes(">") && !/^(?:\d+|-)$/.test(target) && !isHarmless(target),
  );
  return written && `> ${written.target}`;
}

function writer([program = "", ...rest]: readonly string[]): string | undefined {
  const name = nameOf(program);
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (name === "git") return gitWrite(rest);
  if (name === "find") return rest.some((word) => /^-(?:delete|fprint)/.test(word)) ? name : undefined;
  const inPlace = /^(?:sed|perl)$/.test(name) && rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
  const writes = inPlace || (WRITERS.has(name) && operands.some((path) => !isHarmless(path)));
  return writes ? name : undefined;
}

function gitWrite(words: readonly string[]): string | undefined {
  const action = words.find((word, index) => !word.startsWith("-") && !/^-[Cc]$/.test(words[index - 1] ?? ""));
  return action !== undefined && GIT_WRITERS.has(action) ? `git ${action}` : undefined;
}

/** Devices and temporary directories are not part of the work. */
function isHarmless(path: string): boolean {
  return /^\/dev\/|^\/(?:private\/)?(?:tmp|var\/tmp|var\/folders)\//.test(path) && !path.includes("..");
}
