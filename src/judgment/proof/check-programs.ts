import picomatch from "picomatch";
import { askedIn, functionsIn, importsIn, withoutReading, withPlainFolders } from "./check-text.ts";
import { isNamedIn } from "./file-kinds.ts";
import { isOfScript } from "./shell-libraries.ts";

/** What a check's commands and the texts of the scripts that they run do with the files that they name. */
export interface Checks {
  /** The task in the user's words. */
  task: string;
  /** All of it. */
  texts: readonly string[];
  /** Without the commands that only read files. */
  naming: readonly string[];
  /** And without the programs whose output is compared, and the libraries that are loaded: what decides by its own exit code. */
  judging: readonly string[];
  loads: readonly Load[];
  runs: readonly Run[];
  /** The programs whose output is compared: what is tested. */
  tests: readonly Run[];
}

/** A file that a shell or a program loads into itself. */
interface Load {
  word: string;
  /** By a script of the shell: it may be a library that is tested. */
  is_sourced: boolean;
  /** Only where it is there. */
  is_optional: boolean;
}

/** A program that a command runs. */
interface Run {
  words: readonly string[];
  by: "shell" | "interpreter" | undefined;
  operands: readonly string[];
}

export function checksOf(commands: readonly string[], task: string): Checks {
  const texts = commands.map(withPlainFolders);
  const naming = texts.map(withoutReading).flatMap((text) => [text, ...inlineImportsIn(text)]);
  const functions = functionsIn(texts);
  const taken = naming.map((text) => askedIn(text, functions));
  const judging = taken.map((one) => one.judging.replace(SOURCES, " "));
  const tests = taken.flatMap(({ asked }) => asked.flatMap(runsIn));
  return { task, texts, naming, judging, tests, loads: texts.flatMap(loadsIn), runs: judging.flatMap(runsIn) };
}

const CHECK_FOLDERS = /(^|\/)(ci|\.ci|checks?|qa|acceptance|verification|validation)\//;
const TOOL_FOLDERS = /(^|\/)(scripts?|tools?|hack)\//;
const SHELL_SCRIPT = /\.(ba|z|da|k)?sh$/;
const CHECKING = /(check|test|verif|valid|spec|assert|lint|smoke|e2e|accept|eval|grade|score|expect|harness)/i;
/** Sources of a program. A module in there that is called after checking may be what is tested. */
const SOURCES_OF_PROGRAMS = /(^|\/)(src|source|lib|app|apps|server|client|public|pages|main)\//;
const PROGRAM_FOLDERS = new RegExp(`${SOURCES_OF_PROGRAMS.source}|(^|/)(bin|cmd|dist|build|packages)/`);
const PROGRAM_NAMES = /(^|\/)(index|main|app|server|cli|program|__main__|__init__|start|bot|game)\.\w+$/;
/** Programs that run a project's tests, among other things. */
const MANAGING = /(^|\/)(manage|setup)\.py$/;

/**
 * A file that a check runs or loads, and that decides whether it passes: one that is called or kept after checking, a shell script, or a
 * program that decides by itself. It is none where the check only compares what it prints, or where the task names it as the work.
 * `text`: of the file at the start.
 */
export function isOfCheck(path: string, checks: Checks, text: string | undefined): boolean {
  if (isNamedIn(checks.task, path) && !isMeasure(path, checks)) return false;
  if (isKeptForChecks(path) && checks.naming.some((command) => namesFile(command, path))) return true;
  if (isLoadedBy(path, checks, text)) return true;
  if (isAmong(checks.tests, path)) return false;
  if (isScript(path, checks) && checks.judging.some((command) => namesFile(command, path))) return true;
  return isJudge(path, checks, text);
}

function isKeptForChecks(path: string): boolean {
  return CHECK_FOLDERS.test(path) || (CHECKING.test(nameOf(path)) && !SOURCES_OF_PROGRAMS.test(path));
}

function isScript(path: string, checks: Checks): boolean {
  const name = nameOf(path);
  return SHELL_SCRIPT.test(name) || TOOL_FOLDERS.test(path) || !name.includes(".") || isRunBy("shell", path, checks);
}

/** Whether the task names a script because it must pass: such a script measures the work and is not part of it. */
function isMeasure(path: string, { task, runs }: Checks): boolean {
  if (!isAmong(runs, path)) return false;
  const [, after = ""] = task.split(nameOf(path));
  return (
    isKeptForChecks(path) ||
    /^[\s"'`]*((to|must|should|has to) )?(pass|succeed|be green)|^[^\s\w]*[がをは](通|成功|パス)/.test(after)
  );
}

function isRunBy(by: Run["by"], path: string, { runs }: Checks): boolean {
  return isAmong(
    runs.filter((run) => run.by === by),
    path,
  );
}

function isAmong(runs: readonly Run[], path: string): boolean {
  return runs.some(({ words }) => words.some((word) => isAt(word, path)));
}

/** Whether a check runs the file as a program, and for more than what it prints. */
export function isRunByCheck(path: string, checks: Checks): boolean {
  return !isProduct(path) && isRunBy("interpreter", path, checks);
}

/** Whether a check runs or loads it, so that its text tells what the check runs in turn. */
export function isStarted(path: string, checks: Checks): boolean {
  return isRunByCheck(path, checks) || isRunBy("shell", path, checks) || isLoadedBy(path, checks, undefined);
}

function isProduct(path: string): boolean {
  return PROGRAM_FOLDERS.test(path) || PROGRAM_NAMES.test(path);
}

/** Whether a check runs a program that decides by itself. Where it lies among the sources, or is given something to read, it is tested. */
function isJudge(path: string, checks: Checks, text: string | undefined): boolean {
  if (!isVerdict(text)) return false;
  const runs = checks.runs.filter(({ by, words }) => by === "interpreter" && words.some((word) => isAt(word, path)));
  if (MANAGING.test(path)) return runs.some(({ operands }) => operands.some((word) => CHECKING.test(word)));
  if (!isProduct(path)) return runs.length > 0;
  return CHECKING.test(nameOf(path)) && runs.some(({ operands }) => !operands.some((word) => /^[^-].*[./]/.test(word)));
}

/** Whether a program loads another file and may fail by what it finds, or leaves that to a module for checking. */
function isVerdict(text = ""): boolean {
  const isLoading = /["']\.{1,2}\/|^\s*(import|from|use|require)\b|\b(spawn|exec|system|popen)/im.test(text);
  const decides = /\bexit(Code)?\b|\bassert|\bthrow\b|\braise\b|SystemExit|\bdie\b/.test(text);
  return isLoading && (decides || importsIn(text).some((line) => CHECKING.test(line)));
}

const WRAPPERS = String.raw`(?:\w+=\S+ +|(?:npx|env|time|nice|exec|command|sudo|stdbuf|xvfb-run|timeout) +(?:-\S+ +|\d[\d.]*[smh]? +)*)*`;
const INTERPRETER = String.raw`(?:node|deno run|bun|bun run|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|julia) +(?:-(?!m\b|e\b|c\b|p\b|-eval\b|-test\b)\S+ +)*`;
const RUNS = new RegExp(
  String.raw`^${WRAPPERS}(?:(?<shell>(?:ba|da|z|k)?sh +(?:-(?!\w*c\b)\S+ +)*)|(?<interpreter>${INTERPRETER}))?(?<module>-m +)?["']?(?<word>[^\s"'|]+)["']?(?<rest>.*)$`,
);

/** The programs that commands of a text run. Recipes of a makefile are not read: they build, too. */
function runsIn(text: string): Run[] {
  const segments = text.split(/&&|\|\||;|\n/).filter((segment) => !segment.startsWith("\t"));
  return segments.flatMap((segment) => {
    const plain = segment.trim().replace(/\d?>&\d?|\d?>>?\s*[\w./-]+/g, "");
    const { shell, interpreter, module, word, rest = "" } = RUNS.exec(plain)?.groups ?? {};
    if (word === undefined || /[<&]/.test(plain)) return [];
    const by = shell ? "shell" : interpreter ? "interpreter" : undefined;
    return [{ words: wordsFor(module ? `-m ${word}` : word), by, operands: rest.split("|")[0]?.match(/\S+/g) ?? [] }];
  });
}

/** `python -c 'import checks'`. */
function inlineImportsIn(text: string): string[] {
  return [...text.matchAll(/\bpython[\d.]*\s+(?:-\w+\s+)*-c\s+(["'][^\n]*)/g)].flatMap(([, program = ""]) =>
    importsIn(program),
  );
}

const SOURCES = /(?<=^|[\s;&|(])(?:\.|source)[ \t]+["']?([^\s"';&|)]+)["']?/gm;
const LOADS = [
  SOURCES,
  /(?:^|[\s;&|(])-?s?include[ \t]+["']?([^\s"';&|)]+)/gm,
  /[\s="']--(?:require|import|loader|env-file(?:-if-exists)?|config|rcfile|init-file|setup[\w-]*)[ \t=]+["']?([^\s"';&|)]+)/g,
  /\b(?:node|mocha|ruby|tsx|ts-node)\b[^;&|\n]*?\s-r[ \t=]+["']?([^\s"';&|)]+)/g,
  /\b(?:g?make|just|task|[gm]?awk|sed|bc|jq)\b[^;&|\n]*?\s(?:-f|--(?:make|just|task)?file|--from-file)[ \t=]*["']?([^\s"';&|)]+)/g,
  /\b(?:BASH_ENV|ENV|PYTHONSTARTUP)=["']?([^\s"';&|)]+)/g,
  /\b(?:RUBYOPT|NODE_OPTIONS)=["']?-r[ \t=]*([^\s"';&|)]+)/g,
  /\b(?:env|export)\s[^;&\n]*?\$\(\s*(?:cat|grep\s+(?:-\w+\s+)*\S+|<)\s*([^\s"';&|)]+)/g,
];
/** In these, a file that is not there is no error. */
const OPTIONAL =
  /(^|\s)-[efrs]\s|-include|sinclude|-if-exists|\|\|\s*(true|:)|2>\s*\/dev\/null|\bENV=|_ENV=|\$\(\s*(cat|grep|<)/;

function loadsIn(text: string): Load[] {
  return LOADS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 1: word = "", index, input }) => {
      const line = input
        .slice(input.lastIndexOf("\n", index) + 1)
        .split("\n", 2)
        .join("\n");
      const before = input.slice(0, index).split("\n").at(-2) ?? "";
      const is_optional = OPTIONAL.test(line) || word.includes("*") || /^\s*(el)?if\b/.test(before);
      return { word, is_sourced: pattern === SOURCES, is_optional };
    }),
  );
}

/**
 * Whether a command or a script loads the file into itself or into a program. A library of the shell is what is tested unless it is kept
 * with checks, or compares by itself. `text`: of the library; undefined where it cannot be read.
 */
export function isLoadedBy(path: string, { loads }: Checks, text: string | undefined): boolean {
  const found = loads.filter(({ word }) => wordsFor(word).some((one) => isAt(one, path)));
  if (found.some(({ is_sourced }) => !is_sourced)) return true;
  const isOwn = isKeptForChecks(path) || TOOL_FOLDERS.test(path) || text === undefined || isOfScript(text);
  return found.length > 0 && isOwn;
}

/** Whether a script loads the file only where it is there. */
export function isLoadedIfThere(path: string, { loads }: Checks): boolean {
  return loads.some(({ word, is_optional }) => is_optional && wordsFor(word).some((one) => isAt(one, path)));
}

/** Whether a script of the shell loads the file. */
export function isSourced(path: string, { loads }: Checks): boolean {
  return loads.some(({ word, is_sourced }) => is_sourced && wordsFor(word).some((one) => isAt(one, path)));
}

/** Whether a word of the command is the file's path, its end after a directory change, a pattern for it, or the folder of such files. */
function namesFile(command: string, path: string): boolean {
  const modules = [...command.matchAll(/-m\s+[\w.]+/g)].map(([module]) => module);
  const words = command.split(/[\s;&|<>()'"`=,]+/).filter((word) => word.length > 2 || SHORT_FOLDER.test(word));
  // What a program of the check loads from beside its folder is the work.
  const meant = PROGRAM_FOLDERS.test(path) ? words.filter((word) => !word.startsWith("../")) : words;
  const isRun = (word: string) => RUNS_FOLDERS.test(command) && isFolderOf(word, path);
  return [...meant, ...modules].some((word) => wordsFor(word).some((one) => isAt(one, path) || isRun(one)));
}

const RUNS_FOLDERS = /\b(run-parts|bats|prove|for|find|xargs|parallel)\b/;
const SHORT_FOLDER = /^(ci|qa)$/;

/** A word as paths: without what stands for the project before it, and for a module of Python its file. */
function wordsFor(word: string): string[] {
  const [, module] = /^-m\s+([\w.]+)$/.exec(word) ?? [];
  if (module !== undefined) {
    const file = module.replaceAll(".", "/");
    return [`${file}.py`, `${file}/__main__.py`];
  }
  return [word.replace(/^(\.{1,2}\/|\$\{?\w+\}?\/)+/, "").replace(/\/$/, "")];
}

/** `check.sh` is at `check.sh` and `app/check.sh`; so is `/home/me/app/check.sh`, and `check` without its ending. */
function isAt(word: string, path: string): boolean {
  if (word === path || path.endsWith(`/${word}`) || word.endsWith(`/${path}`)) return true;
  if (/[*?]/.test(word)) return picomatch.isMatch(path, [word, `**/${word}`]);
  const bare = path.replace(/\.\w+$/, "");
  const isKept = CHECK_FOLDERS.test(path) || TOOL_FOLDERS.test(path);
  const isModule = /\.([cm]?[jt]sx?|py|rb)$/.test(path) && (word.includes("/") || isKept);
  return isModule && word.length > 2 && (word === bare || bare.endsWith(`/${word}`));
}

/** A folder stands for the scripts in it, where nothing but scripts would be kept there. */
function isFolderOf(word: string, path: string): boolean {
  const isScriptThere = SHELL_SCRIPT.test(path) || CHECKING.test(path) || !/\.[^/]*$/.test(path);
  const isKept = CHECK_FOLDERS.test(`${word}/`) || TOOL_FOLDERS.test(`${word}/`);
  return isScriptThere && isKept && (path.startsWith(`${word}/`) || path.includes(`/${word}/`));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
