import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Digests } from "../../model/digests.ts";
import type { Environment } from "../../model/environment.ts";
import { whatIsIn } from "../workspace/digests.ts";
import { relevantGitSettings, repositoryAbove } from "./git-settings.ts";
import { findProgram } from "./programs.ts";

/** Files in HOME that change what a check does without being named by it. */
const HOME_FILES = names(`
  .bashrc .bash_profile .bash_login .bash_aliases .profile .zshenv .zshrc .zprofile .envrc
  .npmrc .yarnrc .yarnrc.yml .babelrc .mocharc.json .eslintrc .eslintrc.json .node_repl .node_modules .node_libraries .bunfig.toml
  .pydistutils.cfg .config/pip/pip.conf .pip/pip.conf .config/pycodestyle .config/mypy/config .config/ruff/ruff.toml .config/flake8
  .cargo/config .cargo/config.toml .rustup/settings.toml .config/nextest.toml .config/go/env
  .m2/settings.xml .mavenrc .gradle/init.gradle .gradle/gradle.properties .gemrc .rspec .bundle/config
  .config/rspec/options .phpunit.xml .perltidyrc .proverc .makerc .claude/settings.json .config/git/attributes .config/git/ignore
`);

const GIT_SETTINGS = [".gitconfig", ".config/git/config"];

/** Files that programs look for in every directory above the one they work in. */
const FOUND_ABOVE = names(`
  package.json .npmrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs tsconfig.json jsconfig.json deno.json biome.json
  .babelrc .babelrc.json babel.config.js babel.config.json babel.config.cjs .eslintrc .eslintrc.js .eslintrc.json .eslintrc.cjs eslint.config.js
  .mocharc.json .mocharc.js .mocharc.cjs .mocharc.yml jest.config.js jest.config.json vitest.config.ts vitest.config.js
  pytest.ini .pytest.ini conftest.py pyproject.toml setup.cfg tox.ini mypy.ini ruff.toml
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
  const named = [environment.BASH_ENV, environment.ENV].flatMap((path) => (path ? [path] : []));
  const repository = repositoryAbove(directory);
  const top = repository?.top ?? resolve(directory); // files below it are in the snapshots
  const info = repository ? ["attributes", "exclude"].map((name) => join(repository.gitDirectory, "info", name)) : [];
  const settings = repository ? ["config", "config.worktree"].map((name) => join(repository.gitDirectory, name)) : [];
  const files = [
    ...HOME_FILES.map((name) => join(home, name)),
    ...named,
    ...pythonFiles(home),
    ...filesAbove(top),
    ...info,
  ];
  return Object.fromEntries([
    ...files.flatMap((path) => entry(path, () => whatIsIn(path))),
    ...[...GIT_SETTINGS.map((name) => join(home, name)), ...settings].flatMap((path) =>
      entry(path, () => relevantGitSettings(path)),
    ),
    ...(top === resolve(directory) ? [] : entry(join(top, ".git"), () => "a repository")),
    ...directoriesAbove(top).flatMap((path) => entry(join(path, MODULES), () => stampsIn(join(path, MODULES)))),
    ...programsIn(commands).flatMap((name) => entry(`program ${name}`, () => programAt(name, environment.PATH))),
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

function programsIn(commands: readonly string[]): string[] {
  const words = commands.flatMap((command) =>
    command.split(/[\s;&|<>()'"`=]+/).filter((word) => /^[\w.+-]+$/.test(word)),
  );
  return [...new Set([...PROGRAMS, ...words])].slice(0, MOST_WORDS);
}

function programAt(name: string, path: string | undefined): string | undefined {
  const found = findProgram(name, path);
  if (found === undefined) return undefined;
  const { size, mtimeMs, ino } = statSync(found);
  return [realpathSync.native(found), size, mtimeMs, ino].join(" ");
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

/** Files that every Python of this user loads when it starts, and what names plugins that pytest loads. */
function pythonFiles(home: string): string[] {
  const library = join(home, ".local", "lib");
  return namesIn(library)
    .filter((name) => name.startsWith("python"))
    .map((name) => join(library, name, "site-packages"))
    .flatMap((folder) => namesIn(folder).flatMap((name) => loadedByPython(join(folder, name))));
}

const PYTHON_START = /(\.pth|\/(site|user)customize\.py)$/;

function loadedByPython(path: string): string[] {
  if (PYTHON_START.test(path)) return [path];
  const points = join(path, "entry_points.txt");
  const isPlugin =
    /\.(egg|dist)-info$/.test(path) && existsSync(points) && readFileSync(points, "utf8").includes("pytest11");
  return isPlugin ? [points] : [];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
