import { type Command, type CommandNode, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";

/** One program that a script calls by its name. */
export interface Call {
  /** Without directory and suffix. */
  program: string;
  /** The arguments without their quotes; expansions stay as they are written. */
  args: string[];
  redirections: { operator: string; target: string }[];
  /** Its output goes into a file, a variable, or a program that may keep it to itself. */
  is_hidden: boolean;
}

/**
 * The programs that a script itself calls: in lists, pipelines, subshells and substitutions, behind `sudo`, `timeout 5` and the
 * like, and in the script of `sh -c` or `eval`. It runs nothing and looks nothing up, so a call that is put together at run time is not seen.
 */
export function callsIn(script: string): Call[] {
  const calls = written(script);
  return [...calls, ...calls.flatMap((call) => scriptOf(call).flatMap((inner) => written(inner, call.is_hidden)))];
}

/** Thousands of brackets would overflow the stack; real commands are a tenth as deep. */
const DEEPEST = 200;

function written(script: string, isHidden = false): Call[] {
  const calls: Call[] = [];
  const visit = (node: SyntaxNode, depth: number, isHiddenHere: boolean): void => {
    const is_hidden = isHiddenHere || hides(node);
    if (node.type === "Command") calls.push(unwrapped({ ...callOf(node), is_hidden }));
    const kept = node.type === "Pipeline" ? keptByPipe(node.commands) : [];
    if (depth < DEEPEST)
      forEachChild(node, (child) => visit(child, depth + 1, is_hidden || kept.some((one) => one === child)));
  };
  visit(parse(script), 0, isHidden);
  return calls;
}

function callOf({ name, args, redirects }: Command): Omit<Call, "is_hidden"> {
  return {
    program: nameOf(name?.value ?? ""),
    args: args.map((argument) => (argument.type === "Word" ? argument.value : argument.text)),
    redirections: redirects.flatMap((one) =>
      one.type === "Redirect" ? [{ operator: one.operator, target: one.target?.value ?? "" }] : [],
    ),
  };
}

/** Whether the output of what is inside does not appear where it stands. */
function hides(node: SyntaxNode): boolean {
  if (node.type === "Command" || node.type === "Redirected") return node.redirects.some(isIntoFile);
  return /^(?:CommandExpansion|ArithmeticCommandExpansion|ProcessSubstitution)$/.test(node.type);
}

/** `2>&1` and the like only say which of the two streams it is, and what is dropped from stderr is not kept for a failure. */
function isIntoFile(one: Redirection): boolean {
  if (one.type !== "Redirect" || !one.operator.includes(">")) return false;
  const target = one.target?.value ?? "";
  if (STREAM.test(target)) return false;
  const isOfErrors = one.descriptor?.type === "FileDescriptor" && one.descriptor.value === 2;
  return !(isOfErrors && target === "/dev/null");
}

const STREAM = /^(?:\d+|-|\/dev\/(?:stdout|stderr|tty))$/;

/** The programs before one that may keep to itself what it reads. */
function keptByPipe(commands: readonly CommandNode[]): readonly CommandNode[] {
  const isOpen = (one: CommandNode) => one.type === "Command" && PASSES_ON.has(callOf(one).program) && !hides(one);
  return commands.slice(
    0,
    Math.max(
      0,
      commands.findLastIndex((one, index) => index > 0 && !isOpen(one)),
    ),
  );
}

/** A program's plain name, in lower case. */
export function nameOf(program: string): string {
  return program
    .slice(program.lastIndexOf("/") + 1)
    .replace(/\.exe$/i, "")
    .toLowerCase();
}

/** Programs that start the program of their arguments, and their options that have a value. */
const WRAPPERS: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugCpr]$/,
  doas: /^-[uC]$/,
  env: /^-[uC]$/,
  timeout: /^-[ks]$/,
  nice: /^-n$/,
  xargs: /^-[adEIiLnPs]$/,
  exec: /^-a$/,
  stdbuf: /^-[ioe]$/,
  ...Object.fromEntries(["command", "builtin", "nohup", "setsid", "time"].map((name) => [name, /(?!)/])),
};

/** `sudo env timeout 5 …`: real commands have fewer. */
const MOST_WRAPPERS = 8;

function unwrapped(call: Call): Call {
  let inner = call;
  for (let count = 0; count < MOST_WRAPPERS && Object.hasOwn(WRAPPERS, inner.program); count += 1)
    inner = started(inner);
  return inner;
}

/** What a wrapper starts: the first word that is no option, value, duration or assignment. */
function started(call: Call): Call {
  const { program, args } = call;
  const takesValue = (option = "") => WRAPPERS[program]?.test(option);
  const at = args.findIndex((word, index) => !/^-|^\w+=|^[\d.]+[smhd]?$/.test(word) && !takesValue(args[index - 1]));
  if (at < 0 || (program === "command" && /^-[vV]$/.test(args[0] ?? ""))) return { ...call, program: "" };
  return { ...call, program: nameOf(args[at] ?? ""), args: args.slice(at + 1) };
}

/** The script of `sh -c` or `eval`. */
function scriptOf({ program, args }: Call): string[] {
  if (program === "eval") return [args.join(" ")];
  const option = isShell(program) ? args.findIndex((word) => /^-[a-zA-Z]*c$/.test(word)) : -1;
  const script = option < 0 ? undefined : args.slice(option + 1).find((word) => !/^[-+]/.test(word));
  return script === undefined ? [] : [script];
}

const PASSES_ON = names("tee cat tail head tr ts");
const SHELLS = names("sh bash zsh dash ksh mksh ash fish rbash csh tcsh pwsh busybox source .");
const INTERPRETER =
  /^(?:python|pypy|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|awk|gawk|mawk|tclsh|rscript|julia)/;

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Interpreters, which run code from an argument or from their input. */
export function runsCode(name: string): boolean {
  return INTERPRETER.test(name);
}

/** The words of a text. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
