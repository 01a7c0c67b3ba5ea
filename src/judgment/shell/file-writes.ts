import { type Call, names } from "./calls.ts";

const WRITERS = names("touch rm rmdir mv cp ln install truncate dd mkdir chmod chown patch tee rsync");
const GIT_WRITERS = names(
  "add commit checkout switch restore reset rm mv clean stash apply am merge rebase cherry-pick revert pull push",
);

/** How calls plainly write files, such as `> a.txt` or `rm`; undefined where no write is seen. */
export function fileWrite(calls: readonly Call[]): string | undefined {
  return calls.map((call) => redirected(call) ?? writer(call)).find((found) => found !== undefined);
}

function redirected({ redirections }: Call): string | undefined {
  const written = redirections.find(
    ({ operator, target }) => operator.includes(">") && !/^(?:\d+|-)$/.test(target) && !isHarmless(target),
  );
  return written && `> ${written.target}`;
}

function writer({ program, args }: Call): string | undefined {
  const operands = args.filter((word) => !word.startsWith("-"));
  if (program === "git") return gitWrite(args);
  if (program === "find") return args.some((word) => /^-(?:delete|fprint)/.test(word)) ? program : undefined;
  const inPlace = /^(?:sed|perl)$/.test(program) && args.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
  const writes = inPlace || (WRITERS.has(program) && operands.some((path) => !isHarmless(path)));
  return writes ? program : undefined;
}

function gitWrite(words: readonly string[]): string | undefined {
  const action = words.find((word, index) => !word.startsWith("-") && !/^-[Cc]$/.test(words[index - 1] ?? ""));
  return action !== undefined && GIT_WRITERS.has(action) ? `git ${action}` : undefined;
}

/** Devices and temporary directories are not part of the work. */
function isHarmless(path: string): boolean {
  return /^\/dev\/|^\/(?:private\/)?(?:tmp|var\/tmp|var\/folders)\//.test(path) && !path.includes("..");
}
