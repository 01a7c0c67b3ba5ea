import { readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Digests } from "../../model/digests.ts";
import type { Environment } from "../../model/environment.ts";
import { whatIsAt } from "../workspace/digests.ts";
import { findProgram } from "./programs.ts";

/** Files in HOME that change what a check does without being named by it. */
const HOME_FILES = `
  .bashrc .bash_profile .bash_login .bash_aliases .profile .zshenv .zshrc .zprofile .envrc
  .npmrc .yarnrc .yarnrc.yml .babelrc .mocharc.json .eslintrc .eslintrc.json .node_repl
  .pydistutils.cfg .config/pip/pip.conf .pip/pip.conf .config/pycodestyle .config/mypy/config
  .cargo/config .cargo/config.toml .m2/settings.xml .gradle/init.gradle .gradle/gradle.properties .gemrc .rspec .bundle/config
  .config/rspec/options .config/go/env .phpunit.xml .perltidyrc .proverc .makerc .claude/settings.json
`
  .trim()
  .split(/\s+/);

/** Programs that checks use without naming them. */
const PROGRAMS = `
  sh bash env node npm npx yarn pnpm bun deno python python3 pip pytest uv make cmake cargo rustc go java javac mvn gradle ruby bundle
  rake rspec php composer perl prove git grep sed awk test true false cat diff cmp timeout
`
  .trim()
  .split(/\s+/);

const PYTHON_START = /\.pth$|^(site|user)customize\.py$/;

/**
 * What a check finds outside the project: which files its programs are, and its settings in HOME. By path, and by `program NAME` for
 * the programs that the commands could mean.
 */
export function toolchainOf(environment: Environment, commands: readonly string[]): Digests {
  const home = environment.HOME || homedir();
  const named = [environment.BASH_ENV, environment.ENV].flatMap((path) => (path ? [path] : []));
  const files = [...HOME_FILES.map((name) => join(home, name)), ...named, ...pythonFiles(home)];
  const words = commands.flatMap((command) =>
    command.split(/[\s;&|<>()'"`=]+/).filter((word) => /^[\w.+-]+$/.test(word)),
  );
  const programs = [...new Set([...PROGRAMS, ...words])];
  return Object.fromEntries([
    ...files.flatMap((path): [string, string][] => entry(path, () => whatIsAt(path))),
    ...programs.flatMap((name): [string, string][] =>
      entry(`program ${name}`, () => programAt(name, environment.PATH)),
    ),
  ]);
}

function entry(key: string, look: () => string | undefined): [string, string][] {
  try {
    const found = look();
    return found === undefined ? [] : [[key, found]];
  } catch {
    return []; // it is not there
  }
}

function programAt(name: string, path: string | undefined): string | undefined {
  const found = findProgram(name, path);
  if (found === undefined) return undefined;
  const { size, mtimeMs, ino } = statSync(found);
  return [realpathSync(found), size, mtimeMs, ino].join(" ");
}

/** Files that every Python of this user loads when it starts. */
function pythonFiles(home: string): string[] {
  const library = join(home, ".local", "lib");
  return namesIn(library)
    .filter((name) => name.startsWith("python"))
    .map((name) => join(library, name, "site-packages"))
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => PYTHON_START.test(name))
        .map((name) => join(folder, name)),
    );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
