import { type Dirent, existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../../model/environment.ts";
import type { Mount } from "../../ports/sandbox.ts";
import { isWithin } from "./paths.ts";

/**
 * Directories that programs fill as they run, besides those whose name begins with a dot: nearly all of these are caches, and no list
 * would have all of them.
 */
const CACHES = new Set(["go", "perl5", "R", "nltk_data", "miniconda3", "anaconda3", "miniforge3", "snap"]);

/** What lies among the caches and says how programs run. */
const SETTINGS = `
  .ssh .aws/config .aws/credentials .kube/config .docker/config.json .cargo/config .cargo/config.toml .m2/settings.xml .gradle/init.gradle
  .gradle/init.d .gradle/gradle.properties .bundle/config .pip .githooks .git-templates .claude/settings.json .config/git .config/gh
  .config/pip .config/npm .config/pycodestyle .config/mypy .config/rspec .config/go/env .config/fish .config/direnv .config/systemd
  .config/environment.d .config/autostart
`
  .trim()
  .split(/\s+/);

/** Variables with which users move caches. */
const VARIABLES = `
  XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME npm_config_cache NPM_CONFIG_CACHE YARN_CACHE_FOLDER PNPM_HOME BUN_INSTALL DENO_DIR
  CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME GOPATH GOCACHE GOMODCACHE GRADLE_USER_HOME PIP_CACHE_DIR UV_CACHE_DIR POETRY_CACHE_DIR
  PYENV_ROOT CONDA_PREFIX VIRTUAL_ENV GEM_HOME BUNDLE_PATH COMPOSER_HOME COMPOSER_CACHE_DIR NUGET_PACKAGES DOTNET_CLI_HOME
  JULIA_DEPOT_PATH STACK_ROOT CABAL_DIR PUB_CACHE CCACHE_DIR SCCACHE_DIR PLAYWRIGHT_BROWSERS_PATH CYPRESS_CACHE_FOLDER HF_HOME
`
  .trim()
  .split(/\s+/);

/**
 * HOME as a check sees it: caches may be written, the rest only read. New files may be made beside them, for example the first cache of
 * a tool; they are gone when the check has ended.
 */
export function homeMounts(home: string, environment: Environment): Mount[] {
  const entries = entriesOf(home).map((entry) => mountFor(home, entry));
  if (entries.length === 0) return [];
  const moved = VARIABLES.flatMap((name) => environment[name] ?? []);
  const caches = moved.filter((path) => path !== home && isWithin(home, path));
  const settings = SETTINGS.map((name) => join(home, name)).filter((path) => existsSync(path));
  return [
    { is: "empty", at: home },
    ...entries,
    ...caches.map((path) => bound(path, true)),
    ...settings.map((path) => bound(path, false)),
  ];
}

function mountFor(home: string, entry: Dirent): Mount {
  const path = join(home, entry.name);
  if (entry.isSymbolicLink()) return { is: "link", at: path, to: readlinkSync(path) };
  return bound(path, entry.isDirectory() && (entry.name.startsWith(".") || CACHES.has(entry.name)));
}

function bound(path: string, writable: boolean): Mount {
  return { is: "bind", from: path, at: path, writable };
}

function entriesOf(home: string): Dirent[] {
  try {
    return readdirSync(home, { withFileTypes: true });
  } catch {
    return []; // a HOME that cannot be read cannot be written either
  }
}
