import { beforeACommand, type ShellToken, shellTokens } from "../../model/shell-words.ts";
import { type Expansion, expandQuoted, expandWord, UNKNOWN } from "./expand-word.ts";

export interface ShellCommand {
  /** Without quotes, assignments and reserved words; the program first. UNKNOWN stands for unknown parts. */
  words: string[];
  assignments: { name: string; value: string }[];
  redirections: { operator: string; target: string }[];
  /** Texts that it reads: here-documents and here-strings. */
  input: string[];
  /** The command that pipes into it. */
  from?: ShellCommand;
}

export type Variables = Map<string, string>;

/** Every simple command of a script, including those in substitutions and subshells. */
export function shellCommands(script: string, variables: Variables = new Map()): ShellCommand[] {
  const reader = newReader(variables);
  for (const token of shellTokens(script)) take(reader, token);
  finish(reader, "");
  return reader.commands;
}

interface Reader {
  commands: ShellCommand[];
  current: ShellCommand;
  redirection: string | undefined;
  /** The commands whose here-documents are still to come. */
  waiting: ShellCommand[];
  variables: Variables;
  expansion: Expansion;
}

function newReader(variables: Variables): Reader {
  const commands: ShellCommand[] = [];
  const expansion: Expansion = {
    variable: (name) => variables.get(name) ?? (name === "IFS" ? " " : undefined),
    run: (inner) => {
      const nested = shellCommands(inner, variables);
      commands.push(...nested);
      return printed(nested);
    },
  };
  return { commands, current: newCommand(), redirection: undefined, waiting: [], variables, expansion };
}

function newCommand(from?: ShellCommand): ShellCommand {
  return { words: [], assignments: [], redirections: [], input: [], ...(from && { from }) };
}

function take(reader: Reader, token: ShellToken): void {
  if (token.type === "operator") finish(reader, token.text);
  else if (token.type === "redirection") reader.redirection = token.text;
  else if (token.type === "here-document") takeDocument(reader, token);
  else if (reader.redirection !== undefined) takeTarget(reader, token.text);
  else takeWord(reader, token.text);
}

function takeDocument({ waiting, expansion }: Reader, { text, isLiteral }: ShellToken): void {
  waiting.shift()?.input.push(isLiteral ? text : expandQuoted(text, expansion));
}

function takeTarget(reader: Reader, raw: string): void {
  const operator = reader.redirection ?? "";
  reader.redirection = undefined;
  if (/^\d*<<-?$/.test(operator)) {
    reader.waiting.push(reader.current);
    return;
  }
  const target = expandWord(raw, reader.expansion).join(" ");
  if (operator.endsWith("<<<")) reader.current.input.push(target);
  else reader.current.redirections.push({ operator: operator.replace(/^\d+/, ""), target });
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

function takeWord({ current, variables, expansion }: Reader, raw: string): void {
  const [head, name] = ASSIGNMENT.exec(raw) ?? [];
  if (current.words.length === 0 && head && name) {
    const value = expandWord(raw.slice(head.length), expansion).join(" ");
    current.assignments.push({ name, value });
    variables.set(name, value.length > LONGEST_VALUE ? UNKNOWN : value);
  } else if (current.words.length > 0 || !beforeACommand.has(raw)) {
    current.words.push(...expandWord(raw, expansion));
  }
}

/** A value that doubles with every assignment would fill the memory. */
const LONGEST_VALUE = 10_000;

const DECLARING = new Set(["export", "declare", "typeset", "local", "readonly"]);
const ALIAS = "alias ";

function finish(reader: Reader, operator: string): void {
  const { current, variables, commands } = reader;
  const isPipe = operator === "|" || operator === "|&";
  const isEmpty = current.words.length + current.assignments.length + current.redirections.length === 0;
  if (!isEmpty) commands.push(withoutAlias(current, variables));
  remember(current.words, variables);
  reader.current = newCommand(isPipe ? (isEmpty ? commands.at(-1) : current) : undefined);
  reader.redirection = undefined;
}

/** Keeps variables and aliases for the rest of the script. A loop's variable has no known value. */
function remember([program = "", ...words]: readonly string[], variables: Variables): void {
  if (program === "for" || program === "read") for (const name of words) variables.delete(name);
  const prefix = program === "alias" ? ALIAS : "";
  if (prefix === "" && !DECLARING.has(program)) return;
  for (const word of words) {
    const [, name, value = ""] = /^([\w.-]+)=([\s\S]*)$/.exec(word) ?? [];
    if (name) variables.set(prefix + name, value);
  }
}

function withoutAlias(command: ShellCommand, variables: Variables): ShellCommand {
  const [program = "", ...rest] = command.words;
  const meaning = variables.get(ALIAS + program);
  if (meaning === undefined) return command;
  command.words = [...meaning.split(/\s+/).filter(Boolean), ...rest];
  return command;
}

/** The output of a substitution, where it is known: of echo, printf, and the programs that find programs. */
function printed(commands: readonly ShellCommand[]): string {
  const [only, ...more] = commands;
  const [program, ...words] = only?.words ?? [];
  if (more.length > 0 || program === undefined) return UNKNOWN;
  const operands = words.filter((word) => !/^-[a-zA-Z]+$/.test(word));
  if (program === "echo") return operands.join(" ");
  if (program === "printf") return operands.filter((word) => !word.includes("%")).join(" ");
  return ["which", "command", "type"].includes(program) ? operands.join(" ") : UNKNOWN;
}
