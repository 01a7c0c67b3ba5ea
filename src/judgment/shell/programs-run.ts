import { UNKNOWN } from "./expand-word.ts";
import { isShell, nameOf } from "./programs.ts";
import { type ShellCommand, shellCommands, type Variables } from "./shell-commands.ts";
import { isWrapper, wrappedPrograms } from "./wrappers.ts";

const DEEPEST = 10;
const MOST_SCRIPTS = 2000;
/** `sudo env timeout 5 …`: real commands have fewer. */
const MOST_WRAPPERS = 30;

/** The programs that a script runs, as far as it can be read. */
interface ScriptPrograms {
  programs: ShellCommand[];
  /** The script is nested too deeply: not all of it was read. */
  isTooDeep: boolean;
}

/** Further arguments of a command that may be scripts; the caller decides which are worth reading. */
type ScriptCandidates = (command: ShellCommand) => readonly string[];

/**
 * Every program that a script runs: wrappers such as `timeout 5`, the programs that they start, and the programs of nested
 * scripts such as those of `sh -c`.
 */
export function programsRun(script: string, candidates: ScriptCandidates = () => []): ScriptPrograms {
  const seen: ScriptPrograms = { programs: [], isTooDeep: false };
  try {
    readScript(script, { seen, candidates, variables: new Map(), depth: 0, budget: { scripts: MOST_SCRIPTS } });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    seen.isTooDeep = true; // thousands of brackets overflow the stack
  }
  return seen;
}

interface ScriptReading {
  seen: ScriptPrograms;
  candidates: ScriptCandidates;
  variables: Variables;
  depth: number;
  budget: { scripts: number };
}

function readScript(script: string, place: ScriptReading): void {
  if (place.depth > DEEPEST || place.budget.scripts-- === 0) throw new RangeError("nested too deeply");
  for (const command of shellCommands(script, place.variables)) {
    for (const program of unwrapped(command)) {
      place.seen.programs.push(program);
      const inner = new Set([...scriptsIn(program), ...place.candidates(program)]);
      for (const text of inner) readScript(text, { ...place, depth: place.depth + 1 });
    }
  }
}

/** The command itself, and the programs that it wraps, which read the same input. */
function unwrapped(command: ShellCommand, depth = 0): ShellCommand[] {
  if (depth > MOST_WRAPPERS) throw new RangeError("wrapped too often");
  const [program = "", ...rest] = command.words;
  if (program.startsWith("-")) return unwrapped({ ...command, words: rest }, depth + 1); // an option of a reserved word: `time -p`
  const name = nameOf(program);
  const isFed = name === "xargs" || name === "parallel"; // more arguments come from elsewhere
  const inner = wrappedPrograms(name, rest).map((words) => ({
    ...command,
    words: isFed ? [...words, UNKNOWN] : words,
    assignments: [],
    redirections: [],
  }));
  return [command, ...inner.flatMap((one) => unwrapped(one, depth + 1))];
}

/** The arguments that a program runs as scripts; for a shell without any, its input. */
function scriptsIn(command: ShellCommand): string[] {
  const [program = "", ...rest] = command.words;
  const name = nameOf(program);
  if (name === "eval") return [rest.join(" ")];
  if (name === "git") return gitScripts(rest);
  if (name === "trap") return rest.slice(0, 1);
  if (isShell(name)) return shellScripts(rest, command);
  if (/\s/.test(program)) return [program]; // `watch 'a b'` and `ssh host 'a b'` take the script as one word
  return isWrapper(name) ? rest.filter((_, index) => TAKES_A_SCRIPT.test(rest[index - 1] ?? "")) : [];
}

const TAKES_A_SCRIPT = /^(?:-c|-S|-s|--command|--call|--run|--split-string)$/;

function shellScripts(rest: readonly string[], command: ShellCommand): string[] {
  const operands = rest.filter((word, index) => !/^[-+]/.test(word) && !/^[-+][oO]$/.test(rest[index - 1] ?? ""));
  const [first] = operands;
  if (first === undefined || first === "/dev/stdin" || rest.includes("-s")) return inputOf(command);
  const isScript = rest.some((word) => /^-[a-zA-Z]*c$/.test(word)) || /\s/.test(first); // for `bash <(echo …)`
  return isScript ? [first] : [];
}

/** Everything that the command reads, as far as the script holds it. */
export function inputOf({ input, from }: ShellCommand): string[] {
  const all = [...input];
  for (let before = from; before; before = before.from) all.push(before.words.slice(1).join(" "), ...before.input);
  return all;
}

/** Git runs programs, too: aliases with `!`, `rebase --exec`, `bisect run`, `submodule foreach`. */
function gitScripts(rest: readonly string[]): string[] {
  return rest.flatMap((word, index) => {
    const [, alias] = /^(?:alias\.[^=]+=)?!([\s\S]*)$/.exec(word) ?? [];
    const [, exec] = /^--exec=([\s\S]*)$/.exec(word) ?? [];
    if (alias ?? exec) return [alias ?? exec ?? ""];
    const runs =
      word === "-x" || word === "--exec" || word === "foreach" || (word === "run" && rest.includes("bisect"));
    return runs ? [rest.slice(index + 1).join(" ")] : [];
  });
}
