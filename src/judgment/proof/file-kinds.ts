import type { ProtectionReason } from "../../model/records.ts";

const TEST_FOLDERS = /(^|\/)(tests?|__tests__|__mocks__|__snapshots__|specs?|e2e|testing|fixtures)\//i;
const TEST_FILES =
  /(^|[./_-])(test|tests|spec|specs)\.[^/]+$|(^|\/)test_[^/]+\.py$|_(test|spec)\.[^/.]+$|(^|\/)[^/]*Tests?\.(java|kt|cs|scala|swift)$|(^|\/)conftest\.py$|\.snap$/;

/** Files that say how tests are run and the project is built, by their names. */
const CONFIGURATION = new RegExp(
  `(^|/)(${[
    String.raw`(jest|vitest|vite|playwright|cypress|karma|ava|babel|webpack|rollup|eslint|metro|wdio|stryker)(\.\w+)*\.(config|conf)\.[^/]+`,
    String.raw`\.(mocharc|babelrc|nycrc|c8rc|eslintrc|swcrc|taprc|jasmine|rspec|npmrc|yarnrc|coveragerc|flake8|ruff)[^/]*`,
    String.raw`(package\.json|pyproject\.toml|Cargo\.toml|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|mypy\.ini|ruff\.toml)`,
    String.raw`(tsconfig[^/]*\.json|biome\.jsonc?|phpunit\.xml[^/]*|Rakefile|pom\.xml|build\.xml)`,
    String.raw`((GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|CMakeLists\.txt|(build|settings)\.gradle(\.kts)?)`,
    String.raw`(\.gitattributes|\.gitlab-ci\.yml|Jenkinsfile|\.pre-commit-config\.yaml|lefthook\.ya?ml)`,
  ].join("|")})$|(^|/)(.github|.circleci)/`,
);

/** Files that a runner or an interpreter loads without being told to. */
const LOADED =
  /(^|\/)(conftest|sitecustomize|usercustomize)\.py$|(^|\/)(setup|jest|vitest|test)[-_.]?(setup|env|globals?)\.[cm]?[jt]s$|\.pth$|(^|\/)(tests?|__tests__|specs?)\/(.+\/)?node_modules\//i;

/** A module of this name is imported instead of the one that tests rely on. */
const SHADOWING =
  /^(src\/|lib\/)?(pytest|_pytest|unittest|doctest|nose|hypothesis|mock|numpy|assertpy|json|math|random|re|os|sys|io|time|datetime|decimal|fractions|functools|itertools|collections|typing|subprocess|pathlib|string|copy|abc|enum|dataclasses|inspect|importlib|traceback|warnings|logging|tempfile|shutil|builtins)(\.py|\/__init__\.py)$/;

export function isTest(path: string): boolean {
  return TEST_FOLDERS.test(path) || TEST_FILES.test(path);
}

/** Why a file that was there at the start is protected. */
export function reasonFor(path: string): ProtectionReason | undefined {
  if (LOADED.test(path)) return "loaded";
  if (CONFIGURATION.test(path)) return "configuration";
  return isTest(path) ? "test" : undefined;
}

/** Why a new file is: it takes part in checks that did not ask for it. New tests are welcome. */
export function reasonForNew(path: string): ProtectionReason | undefined {
  if (LOADED.test(path) || SHADOWING.test(path)) return "loaded";
  return CONFIGURATION.test(path) && !isNestedProject(path) ? "configuration" : undefined;
}

/** The manifest of a new package beside the old ones says nothing about the old ones' checks. */
function isNestedProject(path: string): boolean {
  return path.includes("/") && /\/(package\.json|pyproject\.toml|Cargo\.toml|pom\.xml|tsconfig[^/]*\.json)$/.test(path);
}

/** What test runs themselves write: caches and bytecode. */
const WRITTEN_BY_RUNS =
  /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.cache|\.nyc_output|coverage|\.vite|\.turbo|\.eslintcache|\.tox|\.nox)(\/|$)|\.(log|pyc|tsbuildinfo)$|(^|\/)\.(coverage|eslintcache)$/;

/** Bytecode beside its source is loaded in its stead. */
const SHADOWING_BYTECODE = /^(?!.*(^|\/)__pycache__\/).*\.pyc$/;

export function isWrittenByRuns(path: string): boolean {
  return WRITTEN_BY_RUNS.test(path) && !SHADOWING_BYTECODE.test(path);
}

const DEPENDENCIES = /(^|\/)(node_modules|\.venv|venv|site-packages|vendor|bower_components)\//;

export function isDependency(path: string): boolean {
  return DEPENDENCIES.test(path);
}

/** Files that name the dependencies: where one has changed, so may the installed ones. */
const MANIFEST =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|requirements[^/]*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(\.lock)?|composer\.(json|lock)|Gemfile(\.lock)?|go\.(mod|sum))$/;

export function isManifest(path: string): boolean {
  return MANIFEST.test(path);
}
