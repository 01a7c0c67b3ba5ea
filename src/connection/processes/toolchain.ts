import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { type Digests, INSTALLED } from "../../model/digests.ts";
import type { Environment } from "../../model/environment.ts";
import { whatIsIn } from "../workspace/digests.ts";
import { relevantGitSettings, repositoryAbove } from "./git-settings.ts";
import { modulesIn, packagesIn } from "./modules.ts";
import { filesOutside } from "./outside-files.ts";
import { findProgram } from "./programs.ts";
import { type PythonSites, pythonFiles, sitesOf } from "./python-files.ts";
import {
  foldersOfModules,
  gitSettingsFiles,
  ledBySettings,
  namedByVariables,
  placesInHome,
  startUpScripts,
} from "./variables.ts";

/** Files in HOME that change what a check does without being named by it. */
const HOME_FILES = names(`
  .bashrc .bash_profile .bash_login .bash_aliases .profile .zshenv .zshrc .zprofile .envrc
  .npmrc .yarnrc .yarnrc.yml .babelrc .mocharc.json .eslintrc .eslintrc.json .node_repl .bunfig.toml
  .pydistutils.cfg .config/pip/pip.conf .pip/pip.conf .config/pycodestyle .config/mypy/config .config/ruff/ruff.toml .config/flake8
  .cargo/config .cargo/config.toml .rustup/settings.toml .config/nextest.toml .config/go/env
  .m2/settings.xml .mavenrc .gradle/init.gradle .gradle/gradle.properties .gemrc .rspec .bundle/config
  .config/rspec/options .phpunit.xml .perltidyrc .proverc .makerc .claude/settings.json .config/git/attributes .config/git/ignore
  .zlogin .config/fish/config.fish .direnvrc .config/direnv/direnvrc .asdfrc .tool-versions .config/mise/config.toml
  .config/npm/npmrc .config/pnpm/rc .eslintrc.js .eslintrc.yaml .eslintrc.yml .mocharc.yml .taprc .prettierrc .config/uv/uv.toml
  .config/pypoetry/config.toml .coveragerc .pylintrc .config/pylintrc .flake8 .isort.cfg .config/yamllint/config .shellcheckrc .config/shellcheckrc
  .jq .sqliterc .psqlrc .my.cnf .pg_service.conf .curlrc .wgetrc .ackrc .ansible.cfg .irbrc .Rprofile .Renviron .erlang .iex.exs .ghci
  .pyenv/version .rbenv/version .nodenv/version .goenv/version .jenv/version .nvm/alias/default .proverc
  .julia/config/startup.jl .clojure/deps.edn .lein/profiles.clj .sbtopts .gdbinit .octaverc .guile .sbclrc .mavenrc
`);

/** Folders in HOME all of whose files do. */
const HOME_FOLDERS = names(".gradle/init.d .config/mise/conf.d .config/fish/conf.d .config/fish/functions");

/** Folders in HOME in which programs look for modules. */
const HOME_MODULES = names(".node_modules .node_libraries");

const GIT_SETTINGS = [".gitconfig", ".config/git/config"];

/** Files that programs look for in every directory above the one they work in. */
const FOUND_ABOVE = names(`
  package.json .npmrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs tsconfig.json jsconfig.json deno.json biome.json
  pnpm-workspace.yaml lerna.json nx.json turbo.json .prettierrc .prettierrc.json .shellcheckrc .jshintrc .editorconfig
  .babelrc .babelrc.json babel.config.js babel.config.json babel.config.cjs .eslintrc .eslintrc.js .eslintrc.json .eslintrc.cjs eslint.config.js
  .mocharc.json .mocharc.js .mocharc.cjs .mocharc.yml jest.config.js jest.config.json vitest.config.ts vitest.config.js
  pytest.ini .pytest.ini pytest.toml .pytest.toml conftest.py uv.toml mise.toml .mise.toml pyproject.toml setup.cfg tox.ini mypy.ini ruff.toml
  Cargo.toml .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml go.mod go.work Gemfile .rspec
  Directory.Build.props Directory.Build.targets global.json .envrc .tool-versions .python-version .nvmrc .node-version .ruby-version
`);

/** Programs that checks use without naming them. */
const PROGRAMS = names(`
  sh bash env node npm npx yarn pnpm bun deno python python3 pip pytest uv make cmake cc gcc clang cargo rustc go java javac mvn gradle
  ruby bundle rake rspec php composer perl prove git grep sed awk test true false cat diff cmp timeout
`);

const MOST_WORDS = 1000;

interface Whereabouts {
  environment: Environment;
  /** Where the checks run. */
  directory: string;
}

/**
 * What a check finds outside the files that are compared: which files its programs are, settings in HOME and above the project, and
 * git's own. By path, and by `program NAME` for the programs that the commands could mean.
 */
export function toolchainOf({ environment, directory }: Whereabouts, commands: readonly string[]): Digests {
  const home = environment.HOME || homedir();
  const startUp = [environment.BASH_ENV, environment.ENV].flatMap((path) => (path ? [path] : []));
  const repository = repositoryAbove(directory);
  const top = repository?.top ?? resolve(directory); // files below it are in the snapshots
  const info = repository ? ["attributes", "exclude"].map((name) => join(repository.gitDirectory, "info", name)) : [];
  const settings = repository ? ["config", "config.worktree"].map((name) => join(repository.gitDirectory, name)) : [];
  const inHome = (name: string) => placesInHome(name, environment);
  const homeFiles = HOME_FILES.flatMap(inHome);
  const led = ledBySettings(homeFiles);
  const texts = [...commands, ...startUpScripts(environment), ...led.texts];
  const outside = filesOutside({ environment, directory, top }, texts, [
    ...namedByVariables(environment),
    ...led.paths,
  ]);
  const named = wordsIn([...commands, ...outside.texts]);
  const programs = [...new Set([...PROGRAMS, ...named])].slice(0, MOST_WORDS);
  const pythons = pythonsIn(named, [...outside.paths], environment.PATH);
  const sites = sitesOf(home, pythons);
  const files = [
    ...homeFiles,
    ...HOME_FOLDERS.flatMap(inHome).flatMap((folder) => namesIn(folder).map((name) => join(folder, name))),
    ...startUp,
    ...pythonFiles(sites),
    ...filesAbove(top),
    ...info,
  ];
  const gitSettings = [...GIT_SETTINGS.flatMap(inHome), ...gitSettingsFiles(environment), ...settings];
  const modules = [...HOME_MODULES.flatMap(inHome), ...foldersOfModules(environment)].filter(
    (path) => path !== top && !path.startsWith(`${top}/`),
  );
  return Object.fromEntries([
    ...files.flatMap((path) => entry(path, () => whatIsBehind(path))),
    ...gitSettings.flatMap((path) => entry(path, () => relevantGitSettings(path))),
    ...(top === resolve(directory) ? [] : entry(join(top, ".git"), () => "a repository")),
    ...directoriesAbove(top).flatMap((path) => entry(join(path, MODULES), () => stampsIn(join(path, MODULES)))),
    ...modules.flatMap((path) => entry(path, () => modulesIn(path))),
    ...sites.own.flatMap(packagesIn).flatMap(([path, look]) => entry(`${INSTALLED}${path}`, look)),
    ...entry("modules of the user before Python's", () => hidingModules(sites)),
    ...[...outside.paths].flatMap((path) => entry(path, () => whatRuns(path, home))),
    ...programs.flatMap((name) => entry(`program ${name}`, () => programAt(name, environment.PATH, home))),
    ...hidingPrograms(environment.PATH),
  ]);
}

/** Of Claude Code's settings those of the user: roles other than the worker see no others. */
export function modelSettingsOf({ CLAUDE_CONFIG_DIR, HOME }: Environment): Digests {
  const path = join(CLAUDE_CONFIG_DIR || join(HOME || homedir(), ".claude"), "settings.json");
  return Object.fromEntries(entry(path, () => whatIsIn(path)));
}

const MODULES = "node_modules";

function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

function entry(key: string, look: () => string | undefined): [string, string][] {
  try {
    const found = look();
    return found === undefined ? [] : [[key, found]];
  } catch {
    return []; // it is not there
  }
}

function wordsIn(commands: readonly string[]): string[] {
  return commands.flatMap((command) => command.split(/[\s;&|<>()'"`=]+/).filter((word) => /^[\w.+-]+$/.test(word)));
}

function programAt(name: string, path: string | undefined, home: string): string | undefined {
  const found = findProgram(name, path);
  return found === undefined ? undefined : `${realpathSync.native(found)} ${whatRuns(found, home)}`;
}

/** Settings are often links to files that are kept elsewhere. */
function whatIsBehind(path: string): string | undefined {
  const found = whatIsIn(path);
  return found?.startsWith("link to") ? `${found}, ${whatIsIn(realpathSync.native(path))}` : found;
}

const LONGEST_SCRIPT = 64 * 1024;

/** The size of a program and the time of its last change, which no program can set; of a script in HOME its content: version managers write theirs anew. */
function whatRuns(path: string, home: string): string | undefined {
  const file = realpathSync.native(path);
  const { size, ctimeMs, ino } = statSync(file);
  return size <= LONGEST_SCRIPT && file.startsWith(`${home}/`) ? whatIsIn(file) : [size, ctimeMs, ino].join(" ");
}

function pythonsIn(programs: readonly string[], outside: readonly string[], path: string | undefined): string[] {
  const isPython = (name: string) => /(^|\/)(python|py\.?test|pip|uv|tox|nox|poetry|hatch|pdm)[\d.]*$/.test(name);
  const named = programs.filter((name) => isPython(name)).flatMap((name) => findProgram(name, path) ?? []);
  return [...named, ...outside.filter(isPython)];
}

/** For each directory of the PATH, which programs of later directories it hides: tests may start programs that no command names. */
function hidingPrograms(path = ""): [string, string][] {
  const directories = [...new Set(path.split(delimiter).filter(Boolean).flatMap(realDirectory))];
  const later = new Set<string>();
  return directories.reverse().flatMap((directory): [string, string][] => {
    const all = namesIn(directory);
    const hidden = all.filter((name) => later.has(name));
    for (const name of all) later.add(name);
    const digest = createHash("sha256").update(hidden.join("\n")).digest("base64url");
    return hidden.length === 0 ? [] : [[`programs in ${directory} before others`, digest]];
  });
}

/** Which packages of the user hide those of a Python that checks start. */
function hidingModules({ user, others }: PythonSites): string | undefined {
  const installed = new Set(others.flatMap(namesIn));
  const hiding = user
    .flatMap(namesIn)
    .filter((name) => installed.has(name) && !/^__pycache__$|-info$|\.pth$/.test(name));
  return hiding.length === 0 ? undefined : createHash("sha256").update(hiding.join("\n")).digest("base64url");
}

function realDirectory(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

function directoriesAbove(top: string): string[] {
  const above = dirname(top);
  return above === top ? [] : [above, ...directoriesAbove(above)];
}

function filesAbove(top: string): string[] {
  return directoriesAbove(top).flatMap((directory) => FOUND_ABOVE.map((name) => join(directory, name)));
}

const MOST_STAMPS = 2000;

/** What installed packages above the project look like from outside: their files' times, two levels deep. */
function stampsIn(modules: string): string | undefined {
  if (!existsSync(modules)) return undefined;
  const visible = (directory: string) => namesIn(directory).filter((name) => !name.startsWith(".") || name === ".bin");
  const packages = visible(modules).map((name) => join(modules, name));
  const inside = packages.flatMap((path) => [path, ...visible(path).map((name) => join(path, name))]);
  const stamps = inside.slice(0, MOST_STAMPS).map((path) => {
    const { size, ctimeMs, ino } = lstatSync(path);
    return [path, size, ctimeMs, ino].join(" ");
  });
  return createHash("sha256").update(stamps.join("\n")).digest("base64url");
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
