import picomatch from "picomatch";
import { isNamedIn } from "./file-kinds.ts";

/** What a check's commands are, with the texts of the scripts that they run, and what the user has asked for. */
export interface CheckCommands {
  commands: readonly string[];
  task: string;
}

const KEPT_APART = /(^|\/)(scripts?|ci|\.ci|tools?|hack|checks?|qa|acceptance|verification|validation)\//;
const SHELL_SCRIPT = /\.(ba|z|da|k)?sh$/;
const CHECKING = /(check|test|verif|valid|spec|assert|lint|smoke|e2e|accept|eval|grade|score|expect)/i;

/**
 * A shell script that a check runs, a file that it names and that is called or kept after checking, or a program that decides by itself
 * whether the check passes. Other named files may be the work itself, and so is one that the task names. `text`: of the file at the start.
 */
export function isOfCheck(path: string, { commands, task }: CheckCommands, text: string | undefined): boolean {
  const name = path.split("/").at(-1) ?? path;
  if (isNamedIn(task, path)) return false;
  const isScript = SHELL_SCRIPT.test(name) || CHECKING.test(name) || KEPT_APART.test(path) || !name.includes(".");
  if (isScript && commands.some((command) => namesFile(command, path))) return true;
  if (isLoadedBy(path, commands)) return true;
  return isVerdict(text) && !isWork(path) && commands.some((command) => runsAlone(command, path));
}

const PROGRAM_FOLDERS = /(^|\/)(src|source|lib|app|apps|bin|cmd|dist|build|server|client|public|pages|main|packages)\//;
const PROGRAM_NAMES = /(^|\/)(index|main|app|server|cli|program|__main__|__init__|manage|setup|start|bot|game)\.\w+$/;

function isWork(path: string): boolean {
  return PROGRAM_FOLDERS.test(path) || PROGRAM_NAMES.test(path);
}

/** Whether a program loads another file and may fail by what it finds. */
function isVerdict(text = ""): boolean {
  const isLoading = /["']\.{1,2}\/|^\s*(import|from|use|require)\b|\b(spawn|exec|system|popen)/im.test(text);
  return isLoading && /\bexit(Code)?\b|\bassert|\bthrow\b|\braise\b|SystemExit|\bdie\b/.test(text);
}

const RUNS =
  /^(?:\w+=\S+ +)*(?:npx +)?(?:node|deno run|bun|bun run|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|julia) +(?:-(?!m\b|e\b|c\b|p\b|-eval\b|-test\b)\S+ +)*(-m +)?["']?([^\s"']+)/;

/** Whether a command is nothing but a run of the file, so that the file's own exit code is the verdict. Recipes of a makefile are not read. */
function runsAlone(command: string, path: string): boolean {
  const segments = command.split(/&&|\|\||;|\n/).filter((segment) => !segment.startsWith("\t"));
  return segments.some((segment) => {
    const plain = segment.trim().replace(/(\d?>&?\d|\d?>\s*\/dev\/null)/g, "");
    if (/[|<>`&]|\$\(/.test(plain)) return false;
    const [, module, word] = RUNS.exec(plain) ?? [];
    return word !== undefined && wordsFor(module ? `-m ${word}` : word).some((one) => isAt(one, path));
  });
}

const LOADS = [
  /(?:^|[\s;&|(])(?:\.|source|-?s?include)[ \t]+["']?([^\s"';&|)]+)/gm,
  /\s--(?:require|import|loader|env-file(?:-if-exists)?|config|rcfile|init-file|setup[\w-]*)[ \t=]+["']?([^\s"';&|)]+)/g,
  /\b(?:node|mocha|ruby|tsx|ts-node)\b[^;&|\n]*?\s-r[ \t=]+["']?([^\s"';&|)]+)/g,
];

/** Whether a command or a script loads the file into itself or into a program, perhaps only where it is there. */
export function isLoadedBy(path: string, commands: readonly string[]): boolean {
  const loaded = commands.flatMap((command) =>
    LOADS.flatMap((pattern) => [...command.matchAll(pattern)].map(([, word = ""]) => word)),
  );
  return loaded.some((word) => wordsFor(word).some((one) => isAt(one, path)));
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
  const isModule = /\.([cm]?[jt]sx?|py|rb)$/.test(path) && (word.includes("/") || KEPT_APART.test(path));
  return isModule && word.length > 2 && (word === bare || bare.endsWith(`/${word}`));
}

/** A folder stands for the scripts in it, where nothing but scripts would be kept there. */
function isFolderOf(word: string, path: string): boolean {
  const isScript = SHELL_SCRIPT.test(path) || CHECKING.test(path) || !/\.[^/]*$/.test(path);
  return isScript && KEPT_APART.test(`${word}/`) && (path.startsWith(`${word}/`) || path.includes(`/${word}/`));
}
