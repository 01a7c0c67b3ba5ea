import type { ToolPolicy } from "../model/agent.ts";
import type { Words } from "../model/statement.ts";
import { nameOf } from "./shell/programs.ts";
import { programsRun } from "./shell/programs-run.ts";

const REMOVERS = new Set(["rm", "rmdir", "mv"]);

/**
 * Keeps a worker from removing the records of all tasks by mistake: cleaning up is part of many tasks, and git takes `.e8` for
 * rubbish. It sees plain commands; whoever wants to get around it can.
 */
export const sparesRecords: ToolPolicy = ({ scripts }) => scripts.map(removalIn).find((found) => found !== undefined);

function removalIn(script: string): Words | undefined {
  return programsRun(script)
    .programs.map(({ words }) => removalBy(words))
    .find((found) => found !== undefined);
}

function removalBy([program = "", ...rest]: readonly string[]): Words | undefined {
  const name = nameOf(program);
  if (name === "git") return removalByGit(rest);
  return REMOVERS.has(name) && rest.some(isUnderRecords) ? denied(`${name} .e8`, LEAVE) : undefined;
}

function removalByGit(words: readonly string[]): Words | undefined {
  const start = words.findIndex((word) => word === "clean" || word === "stash");
  const rest = words.slice(start + 1);
  if (words[start] === "clean" && cleansRecords(rest)) return denied("git clean -x", CLEAN);
  if (words[start] === "stash" && stashesRecords(rest)) return denied("git stash --all", STASH);
  return undefined;
}

/** Without `-x` or `-X` git leaves alone what it ignores, and without `-d` whole directories: `.e8` is both. */
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

const LEAVE = { en: "leave it where it is", ja: "そのままにしてください" };
const CLEAN = { en: "leave it out: git clean -fdx -e .e8", ja: "除外してください: git clean -fdx -e .e8" };
const STASH = {
  en: "git stash --include-untracked leaves it where it is",
  ja: "git stash --include-untracked ならそのまま残ります",
};

function denied(command: string, instead: Words): Words {
  return {
    en: `${command} would take away .e8, where the records of all tasks are: ${instead.en}.`,
    ja: `\`${command}\` はすべてのタスクの記録がある .e8 を取り除きます。${instead.ja}`,
  };
}
