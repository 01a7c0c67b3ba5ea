import type { ToolPolicy } from "../model/agent.ts";
import { type Message, message } from "../model/message.ts";
import { type Call, callsIn } from "./shell/calls.ts";

const REMOVERS = new Set(["rm", "rmdir", "mv"]);

/**
 * Keeps a worker from removing the records of all tasks by mistake: many tasks include cleaning up, and git counts `.e8` as
 * untracked. It sees plain commands only, so it does not stop a worker that means to get around it.
 */
export const sparesRecords: ToolPolicy = ({ scripts }) => scripts.map(removalIn).find((found) => found !== undefined);

function removalIn(script: string): Message | undefined {
  return callsIn(script)
    .map(removalBy)
    .find((found) => found !== undefined);
}

function removalBy({ program, args }: Call): Message | undefined {
  if (program === "git") return removalByGit(args);
  return REMOVERS.has(program) && args.some(isUnderRecords) ? denied(`${program} .e8`, "leave") : undefined;
}

function removalByGit(words: readonly string[]): Message | undefined {
  const start = words.findIndex((word) => word === "clean" || word === "stash");
  const rest = words.slice(start + 1);
  if (words[start] === "clean" && cleansRecords(rest)) return denied("git clean -x", "exclude");
  if (words[start] === "stash" && stashesRecords(rest)) return denied("git stash --all", "stash_untracked");
  return undefined;
}

/** `.e8` is an ignored directory: git leaves it alone without `-x` or `-X`, and without `-d`. */
function cleansRecords(words: readonly string[]): boolean {
  const letters = lettersIn(words);
  const isHarmless = letters.includes("n") || words.includes("--dry-run") || !letters.includes("d");
  if (isHarmless || !/x/i.test(letters) || words.some(isExclusion)) return false;
  const paths = words.filter((word, index) => !word.startsWith("-") && !takesValue(words[index - 1]));
  return paths.length === 0 || paths.some((path) => isUnderRecords(path) || /^(?:\.\/?|\*|:\/|\/.*)$/.test(path));
}

function isExclusion(word: string, index: number, words: readonly string[]): boolean {
  const before = words[index - 1];
  const pattern = takesValue(before) ? word : /^(?:--exclude=|-[a-zA-Z]*e)(.+)$/.exec(word)?.[1];
  return pattern !== undefined && isUnderRecords(pattern);
}

function takesValue(option: string | undefined): boolean {
  return option !== undefined && /^(?:--exclude|-[a-zA-Z]*e)$/.test(option);
}

function stashesRecords(words: readonly string[]): boolean {
  const isAll = lettersIn(words).includes("a") || words.includes("--all");
  return isAll && !words.some((word) => /^:(?:!|\^|\(exclude\))/.test(word) && /\.e8\b/.test(word));
}

function lettersIn(words: readonly string[]): string {
  return words.filter((word) => /^-[a-zA-Z]/.test(word)).join("");
}

function isUnderRecords(path: string): boolean {
  return /(?:^|\/)\.e8(?:\/|$)/.test(path);
}

function denied(command: string, instead: "leave" | "exclude" | "stash_untracked"): Message {
  return message("records_removed", { command, instead });
}
