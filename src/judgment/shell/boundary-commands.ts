import { message, type Statement } from "../../model/message.ts";
import { UNKNOWN } from "./expand-word.ts";
import { ghEffect, likelyGhEffect } from "./gh.ts";
import { isShell, isTextTool, nameOf, passesText, runsCode } from "./programs.ts";
import { inputOf, programsRun } from "./programs-run.ts";
import type { ShellCommand } from "./shell-commands.ts";
import { isWrapper } from "./wrappers.ts";

/** The side effect on issues, pull requests or releases that a shell script would have; undefined where none is seen. */
export function boundaryEffect(script: string): Statement | undefined {
  const { programs, isTooDeep } = programsRun(script, possibleScripts);
  return firstOf(programs, effectOf) ?? (isTooDeep ? message("command_too_deep", {}) : undefined);
}

/** Any argument that could be a script is read as one: words such as `gh issue close` rarely stand there by chance. */
function possibleScripts(command: ShellCommand): string[] {
  const { words, assignments } = command;
  const [program = "", ...rest] = words;
  const editors = assignments.filter(({ name }) => /EDITOR|PAGER|COMMAND|BROWSER/.test(name)).map(({ value }) => value);
  const name = nameOf(program);
  if (name === "gh" || name === "git" || program.includes(UNKNOWN) || isTextTool(name, rest)) return editors;
  const read = words.some((word) => isShell(nameOf(word))) ? inputOf(command) : [];
  return [...editors, ...read, ...rest.filter((word, index) => isScript(word, words[index]))];
}

function effectOf(command: ShellCommand): Statement | undefined {
  return (
    firstOf(command.redirections, ({ target }) => (/^\/dev\/(tcp|udp)\//.test(target) ? apiHost(target) : undefined)) ??
    firstOf(command.redirections, ({ operator, target }) =>
      operator.includes(">") ? trackerFile(target) : undefined,
    ) ??
    effectOfWords(command.words, inputOf(command))
  );
}

function effectOfWords(words: readonly string[], input: readonly string[]): Statement | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const name = nameOf(program);
  if (name === "gh") return ghEffect(rest);
  if (name === "hub") return "hub";
  if (program.includes(UNKNOWN)) return likelyGhEffect(rest) ?? apiCall(words);
  if (name === "git") return undefined;
  if (name === "cd" || name === "pushd") return firstOf(rest, intoTracker);
  if (isTextTool(name, rest)) return isReader(name, rest) ? undefined : firstOf(rest, trackerFile);
  return (
    apiCall([...rest, ...input]) ??
    (isSearch(name, rest) ? undefined : firstOf(rest, trackerFile)) ??
    firstOf(rest, (_, index) => effectOfSuffix(words, index + 1)) ??
    (runsCode(name) ? (firstOf(input, trackerFile) ?? firstOf([...rest, ...input], codeEffect)) : undefined)
  );
}

/** A gh among the arguments of another program: `timeout 5 gh …`, `find -exec gh …`. */
function effectOfSuffix(words: readonly string[], start: number): Statement | undefined {
  const [program = "", ...rest] = words.slice(start);
  const wrapper = nameOf(words[0] ?? "");
  const name = nameOf(program);
  const given = wrapper === "xargs" || wrapper === "parallel" ? [...rest, UNKNOWN] : rest;
  if (name === "gh") return isWrapper(wrapper) ? ghEffect(given) : likelyGhEffect(given);
  return name === "hub" && isWrapper(wrapper) ? "hub" : undefined;
}

/** An argument of several words is a script, unless its option takes a text. */
function isScript(word: string, before: string | undefined): boolean {
  return /[\s${]/.test(word.trim()) && !passesText(before ?? "");
}

/** Code of another language that names gh and a command of gh, however it spells the call. */
function codeEffect(code: string): Statement | undefined {
  const words = code.split(/[^\w./-]+/).filter(Boolean);
  return firstOf(words, (word, index) => (nameOf(word) === "gh" ? likelyGhEffect(words.slice(index + 1)) : undefined));
}

function apiCall(words: readonly string[]): Statement | undefined {
  return firstOf(words, apiHost);
}

function apiHost(word: string): Statement | undefined {
  const plain = word.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const [host] = /(?:api|uploads)\.github\.com|github[\w.-]*(?::\d+)?\/api\/(?:v3|graphql)\b/i.exec(plain) ?? [];
  return host && message("api_call", { host: host.toLowerCase() });
}

/** Issues that are kept in files are left to the boundary hook, too. */
export function trackerFile(path: string): Statement | undefined {
  return /(?:^|[\s/='"])\.e8\/+(?:\.\/+|(?!\.\/)[^/\s]+\/+\.\.\/+)*issues(?:\/|$)/.test(path)
    ? message("tracker_file_change", {})
    : undefined;
}

/** Inside that directory, paths no longer show what is changed, in this call or in the next. */
function intoTracker(path: string): Statement | undefined {
  return /(?:^|\/)\.e8(?:\/\.?)*$/.test(path) || trackerFile(path) ? `cd ${path}` : undefined;
}

function isSearch(name: string, rest: readonly string[]): boolean {
  return name === "find" && !rest.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint)/.test(word));
}

function isReader(name: string, rest: readonly string[]): boolean {
  const inPlace = (name === "sed" || name === "awk") && rest.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word));
  return !inPlace && !/^(tee|touch|mkdir|rm|rmdir|cp|mv|ln|chmod)$/.test(name);
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T, index: number) => Statement | undefined,
): Statement | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
