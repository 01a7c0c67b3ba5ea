import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Environment } from "../../model/environment.ts";

/** Variables that name files, or options with files, which programs load before what they are told to run. */
const OF_FILES = `
  BASH_ENV ENV NODE_OPTIONS BUN_OPTIONS RUBYOPT PERL5OPT JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS LD_PRELOAD
  MAKEFILES MAKEFLAGS GNUMAKEFLAGS CMAKE_TOOLCHAIN_FILE npm_config_userconfig NPM_CONFIG_USERCONFIG npm_config_globalconfig
  NPM_CONFIG_GLOBALCONFIG npm_config_script_shell npm_config_node_options PIP_CONFIG_FILE UV_CONFIG_FILE PYTEST_ADDOPTS PYTEST_PLUGINS
  MYPY_CONFIG_FILE ESLINT_OPTIONS RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CC CXX LD GOENV GOFLAGS BUNDLE_GEMFILE MISE_CONFIG_FILE
  STARSHIP_CONFIG TOX_CONFIG_FILE COVERAGE_RCFILE PYLINTRC PHPRC PROVERC
`
  .trim()
  .split(/\s+/);

/** Variables that name directories in which programs look for modules. */
const OF_FOLDERS =
  "PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB CLASSPATH LUA_PATH PHP_INI_SCAN_DIR LD_LIBRARY_PATH".split(" ");

/** Variables that name git's settings. */
const OF_GIT = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"];

/** Variables that move a directory of HOME elsewhere, with its settings. */
const MOVED = [
  ["XDG_CONFIG_HOME", ".config/"],
  ["CARGO_HOME", ".cargo/"],
  ["RUSTUP_HOME", ".rustup/"],
  ["GRADLE_USER_HOME", ".gradle/"],
  ["BUNDLE_USER_HOME", ".bundle/"],
  ["PYENV_ROOT", ".pyenv/"],
  ["RBENV_ROOT", ".rbenv/"],
  ["NODENV_ROOT", ".nodenv/"],
  ["NVM_DIR", ".nvm/"],
  ["ZDOTDIR", ".z"],
] as const;

/** Settings that name programs and files which are started or loaded with what reads them. */
const LEADING =
  /(^|\/)(\.?npmrc|\.yarnrc(\.yml)?|rc|\.bunfig\.toml|config(\.toml)?|\.mavenrc|\.proverc|\.rspec|\.mocharc\.(json|yml))$/;
const LONGEST_SETTINGS = 64 * 1024;

/** A file of HOME by its name there, and where a variable has moved it to. */
export function placesInHome(name: string, environment: Environment): string[] {
  const home = environment.HOME || homedir();
  const moved = MOVED.flatMap(([variable, folder]) => {
    const root = environment[variable];
    if (!root || !name.startsWith(folder)) return [];
    return [join(root, variable === "ZDOTDIR" ? name : name.slice(folder.length))];
  });
  return [...new Set([join(home, name), ...moved])];
}

/** The paths that the variables name: as a whole, among several, or in an option. */
export function namedByVariables(environment: Environment): string[] {
  return OF_FILES.flatMap((name) => {
    const value = environment[name] ?? "";
    return value.includes("/") ? [value, ...value.split(/[\s:;,]+/)].flatMap(pathsIn) : [];
  });
}

/** Also with spaces in it, as it stands after an option or a key. */
function pathsIn(word: string): string[] {
  const paths = [word, word.replace(/^[^=]*=\s*/, "")].map((one) => one.replace(/^(["'])(.*)\1$/, "$2"));
  return [...new Set(paths)].filter((path) => path.startsWith("/"));
}

/** Shell start-up files: whatever they are called, they are scripts that may name further ones. */
export function startUpScripts({ BASH_ENV, ENV }: Environment): string[] {
  return [BASH_ENV, ENV].flatMap((path) => (path ? textOf(path) : []));
}

/** What the settings among these files name: their texts, and the paths that are the whole value of a key. */
export function ledBySettings(files: readonly string[]): { texts: string[]; paths: string[] } {
  const texts = files.filter((path) => LEADING.test(path)).flatMap(textOf);
  return { texts, paths: texts.flatMap((text) => text.split("\n").flatMap((line) => pathsIn(line.trim()))) };
}

export function foldersOfModules(environment: Environment): string[] {
  return OF_FOLDERS.flatMap((name) => environment[name]?.split(delimiter) ?? [])
    .filter((path) => path.startsWith("/"))
    .map((path) => resolve(path));
}

export function gitSettingsFiles(environment: Environment): string[] {
  return OF_GIT.flatMap((name) => environment[name] || []);
}

function textOf(path: string): string[] {
  try {
    return existsSync(path) && statSync(path).size <= LONGEST_SETTINGS ? [readFileSync(path, "utf8")] : [];
  } catch {
    return []; // a directory, or not ours to read
  }
}
