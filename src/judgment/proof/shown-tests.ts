import { type Call, callsIn, names } from "../shell/calls.ts";

/**
 * Whether a check prints how many tests it ran when they pass, as far as its command and the scripts behind it show: a known runner is
 * called where its output appears, and no call may run tests where it does not.
 */
export function showsPassedTests(commands: readonly string[]): boolean {
  const calls = commands.flatMap(callsIn).map(plainly);
  return calls.some((call) => !call.is_hidden && isRunner(call)) && !calls.some(mayHideTests);
}

/** Without a version, and without the signs before a recipe of a makefile that say how make runs it. */
function plainly(call: Call): Call {
  return { ...call, program: call.program.replace(/^[@+-]+/, "").replace(/^python[\d.]+$/, "python") };
}

const RUNNERS = names("jest vitest mocha pytest py.test rspec ctest");
const STARTERS =
  names(`npm npx yarn pnpm bun bunx node deno tsx python uv poetry pdm pipenv hatch rye bundle c8 nyc coverage
  cross-env dotenv cargo make gmake just task sh bash zsh dash ksh . source`);
const MODULES = names("pytest unittest");
const INTERPRETERS = names("node deno bun tsx python");
const TEST_FILE = /[._](test|spec)\.\w+$|(^|\/)test_[^/]+\.py$/;
/** They run no tests, wherever their output goes. */
const PLAIN =
  names(`echo printf cat cd pushd popd pwd date mktemp dirname basename realpath readlink which command type hash git mkdir rm
  rmdir cp mv ln touch chmod test [ [[ true false : set shift export grep egrep fgrep head tail sort uniq wc cut tr sed id uname nproc
  seq sleep kill ls find stat tput curl wget jq tee`);
const INSTALLERS = names("npm yarn pnpm bun pip pip3 uv poetry bundle cargo");
const INSTALLS = names("ci i install add pkg prefix root bin sync fetch build");

/** A runner whose summary is known, by itself or behind a program that starts it and passes its output on. */
function isRunner({ program, args }: Call): boolean {
  if (RUNNERS.has(program)) return true;
  if (program === "cargo") return /^t(est)?$/.test(args.find((word) => !word.startsWith("+")) ?? "");
  if (INTERPRETERS.has(program) && args.some((word) => word === "--test" || TEST_FILE.test(word))) return true;
  return STARTERS.has(program) && args.some((word, at) => RUNNERS.has(word) || isModule(word, args[at - 1]));
}

function isModule(word: string, option: string | undefined): boolean {
  return option === "-m" && MODULES.has(word);
}

/** Also a program that is not known and starts one that may run tests: it decides what is shown of it. */
function mayHideTests({ program, args, is_hidden }: Call): boolean {
  const isTarget = program.endsWith(":"); // of a makefile
  const isQuestion = program === "" && args.length > 0; // command -v
  if (PLAIN.has(program) || isTarget || isQuestion) return false;
  if (INSTALLERS.has(program) && INSTALLS.has(args[0] ?? "")) return false;
  if (is_hidden) return !(program === "node" && args.some((word) => /^-[pev]$|^--version$/.test(word)));
  const isKnown = RUNNERS.has(program) || STARTERS.has(program);
  return !isKnown && args.some((word) => RUNNERS.has(word) || STARTERS.has(word) || /^tests?(:|$)/.test(word));
}
