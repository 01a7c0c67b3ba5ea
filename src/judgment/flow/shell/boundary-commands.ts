import type { Wording, Words } from "../../../model/wording.ts";
import { UNKNOWN } from "./expand-word.ts";
import { ghEffect, likelyGhEffect } from "./gh.ts";
import { isEvaluator, isShell, isTextTool, isWrapper, nameOf, passesText, runsCode } from "./programs.ts";
import { type ShellCommand, shellCommands, type Variables } from "./shell-commands.ts";

const DEEPEST = 10;

const TOO_DEEP: Words = {
  en: "a command nested too deeply to be looked through",
  ja: "入れ子が深すぎて調べきれないコマンド",
};

/** The side effect on issues, pull requests or releases that a shell script would have; undefined where none is seen. */
export function boundaryEffect(script: string): Wording | undefined {
  try {
    return effectOfScript(script, { variables: new Map(), depth: 0 });
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP; // brackets by the thousand: no stack is deep enough
    throw error;
  }
}

function effectOfScript(script: string, { variables, depth }: Place): Wording | undefined {
  if (depth > DEEPEST) return TOO_DEEP;
  return firstOf(shellCommands(script, variables), (command) => effectOf(command, { variables, depth: depth + 1 }));
}

interface Place {
  variables: Variables;
  depth: number;
}

function effectOf(command: ShellCommand, place: Place): Wording | undefined {
  return (
    firstOf(command.redirections, ({ target }) => (/^\/dev\/(tcp|udp)\//.test(target) ? apiHost(target) : undefined)) ??
    firstOf(command.redirections, ({ operator, target }) =>
      operator.includes(">") ? trackerFile(target) : undefined,
    ) ??
    firstOf(command.assignments, ({ name, value }) =>
      /EDITOR|PAGER|COMMAND|BROWSER/.test(name) ? effectOfScript(value, place) : undefined,
    ) ??
    effectOfWords(command.words, inputOf(command), place)
  );
}

/** Everything it is given to read, as far as it stands in the script. */
function inputOf({ input, from }: ShellCommand): string[] {
  return from ? [...input, from.words.slice(1).join(" "), ...inputOf(from)] : input;
}

function effectOfWords(words: readonly string[], input: readonly string[], place: Place): Wording | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const name = nameOf(program);
  if (name === "gh") return ghEffect(rest);
  if (name === "hub") return "hub";
  if (program.includes(UNKNOWN)) return likelyGhEffect(rest) ?? apiCall(words);
  if (name === "git") return gitEffect(rest, place);
  if (isTextTool(name, rest)) return isReader(name, rest) ? undefined : firstOf(rest, trackerFile);
  const again = (script: string) => effectOfScript(script, place);
  return (
    apiCall([...rest, ...input]) ??
    (isSearch(name, rest) ? undefined : firstOf(rest, trackerFile)) ??
    (isEvaluator(name) ? again(rest.join(" ")) : undefined) ??
    (words.some((word) => isShell(nameOf(word))) ? firstOf(input, again) : undefined) ??
    firstOf(rest, (_, index) => effectOfSuffix(words, index + 1)) ??
    firstOf(rest, (word, index) => (isScript(word, words[index]) ? again(word) : undefined)) ??
    (runsCode(name) ? firstOf([...rest, ...input], codeEffect) : undefined)
  );
}

/** A gh among the arguments of another program: `timeout 5 gh …`, `find -exec gh …`. */
function effectOfSuffix(words: readonly string[], start: number): Wording | undefined {
  const [program = "", ...rest] = words.slice(start);
  const wrapper = nameOf(words[0] ?? "");
  const name = nameOf(program);
  const given = wrapper === "xargs" || wrapper === "parallel" ? [...rest, UNKNOWN] : rest;
  if (name === "gh") return isWrapper(wrapper) ? ghEffect(given) : likelyGhEffect(given);
  return name === "hub" && isWrapper(wrapper) ? "hub" : undefined;
}

/** More than one word in one argument is a script, unless it is somebody's text. */
function isScript(word: string, before: string | undefined): boolean {
  return /[\s${]/.test(word.trim()) && !passesText(before ?? "");
}

/** Git runs programs, too: aliases with `!`, `rebase --exec`, `bisect run`, `submodule foreach`. */
function gitEffect(rest: readonly string[], place: Place): Wording | undefined {
  const again = (script: string) => effectOfScript(script, place);
  return firstOf(rest, (word, index) => {
    const [, alias] = /^(?:alias\.[^=]+=)?!([\s\S]*)$/.exec(word) ?? [];
    const [, exec] = /^--exec=([\s\S]*)$/.exec(word) ?? [];
    if (alias ?? exec) return again(alias ?? exec ?? "");
    const runs =
      word === "-x" || word === "--exec" || word === "foreach" || (word === "run" && rest.includes("bisect"));
    return runs ? again(rest.slice(index + 1).join(" ")) : undefined;
  });
}

/** Code of another language that names gh and what to do, however it spells the call. */
function codeEffect(code: string): Wording | undefined {
  const words = code.split(/[^\w./-]+/).filter(Boolean);
  return firstOf(words, (word, index) => (nameOf(word) === "gh" ? likelyGhEffect(words.slice(index + 1)) : undefined));
}

function apiCall(words: readonly string[]): Wording | undefined {
  return firstOf(words, apiHost);
}

function apiHost(word: string): Wording | undefined {
  const plain = word.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const [host] = /(?:api|uploads)\.github\.com|github[\w.-]*(?::\d+)?\/api\/(?:v3|graphql)\b/i.exec(plain) ?? [];
  if (!host) return undefined;
  return { en: `a call to ${host.toLowerCase()}`, ja: `${host.toLowerCase()} の呼び出し` };
}

/** Issues that are kept in files are changed by the boundary hook as all others are. */
export function trackerFile(path: string): Wording | undefined {
  return /(?:^|[\s/='"])\.e8\/+issues(?:\/|$)/.test(path) ? IN_TRACKER : undefined;
}

const IN_TRACKER: Words = { en: "a change in .e8/issues", ja: ".e8/issues の変更" };

function isSearch(name: string, rest: readonly string[]): boolean {
  return name === "find" && !rest.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint)/.test(word));
}

function isReader(name: string, rest: readonly string[]): boolean {
  const inPlace = (name === "sed" || name === "awk") && rest.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word));
  return !inPlace && !/^(tee|touch|mkdir|rm|rmdir|cp|mv|ln|chmod)$/.test(name);
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => Wording | undefined): Wording | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
