import type { ProtectionReason } from "../../model/proof-record.ts";
import { isShadowing } from "./shadowing.ts";

const TEST_FOLDERS = folders([
  "tests?|__tests__|__mocks__|__snapshots__|__fixtures__|specs?|e2e|testing|fixtures|testdata|goldens?|expected|cypress",
  "(unit|integration|functional|acceptance|smoke|system|regression|api)[-_]?tests?",
  "tests?[-_]?(utils?|helpers?|support|data|cases|suites?|fixtures|resources)",
  "features/(steps|step_definitions|support)",
]);

const TEST_FILES = new RegExp(
  [
    String.raw`(^|[./_-])(test|tests|spec|specs|unittest|e2e|cy|golden|approved|expected)\.[^/]+$`,
    String.raw`(^|/)test_[^/]+\.\w+$`,
    String.raw`_(test|spec|unittest)\.[^/.]+$`,
    String.raw`(^|/)[^/]*(Tests?|Spec|IT|TestCase)\.(java|kt|cs|scala|swift|groovy|php|hs|csproj|fsproj)$`,
    String.raw`(^|/)(conftest|tests?)\.py$|\.(snap|feature|bats|golden|approved|expected)$|(^|/)t/.+\.t$`,
  ].join("|"),
);

/** Files that say how tests are run and the project is built, by their names. */
const CONFIGURATION = files([
  // JavaScript
  String.raw`(jest|vitest|vite|playwright(-ct)?|cypress|karma|ava|babel|webpack|rollup|rspack|rolldown|tsup|tsdown|eslint|stylelint|prettier|metro|wdio|stryker|jasmine|nightwatch|codecept|hardhat|web-test-runner)(\.\w+)*\.(config|conf|workspace)\.[^/]+`,
  String.raw`\.(jasmine|pnpmfile|eslintrc|mocharc|npmrc|yarnrc)[^/]*|(gulpfile|Gruntfile|Jakefile|testem|cucumber)(\.\w+)*\.\w+`,
  String.raw`(package\.json|[tj]sconfig[^/]*\.json|biome\.jsonc?|deno\.jsonc?|bunfig\.toml|(nx|turbo|lerna|jasmine|angular|project)\.json|pnpm-workspace\.yaml)`,
  // Python
  String.raw`(pyproject\.toml|\.?pytest\.(ini|toml)|tox\.ini|setup\.cfg|noxfile\.py|mypy\.ini|(ruff|uv|poetry|pdm|hatch|pixi|ty)\.toml|pyrightconfig\.json|Pipfile|\.(flake8|ruff|isort)[^/]*)`,
  // Rust, Go, C and C++
  String.raw`(Cargo\.toml|build\.rs|clippy\.toml|rust-toolchain(\.toml)?|nextest\.toml|go\.mod|go\.work|magefile\.go|\.golangci\.[^/]+)`,
  String.raw`((GNU)?[Mm]akefile|[^/]+\.mk|CMakeLists\.txt|[^/]+\.cmake|CMakePresets\.json|configure(\.ac)?|SConstruct|xmake\.lua|meson\.build|BUILD(\.bazel)?|WORKSPACE(\.bazel)?|\.bazelrc)`,
  // Java, .NET, Ruby, PHP
  String.raw`(pom\.xml|build\.(xml|sbt)|(testng|checkstyle|pmd|spotbugs)[^/]*\.xml|detekt\.ya?ml|project\.clj|deps\.edn|[^/]+\.gradle(\.kts)?|gradle\.properties|gradlew|mvnw|junit-platform\.properties)`,
  String.raw`([^/]+\.runsettings|xunit\.runner\.json|Directory\.Build\.(props|targets)|global\.json)`,
  String.raw`(Rakefile|Gemfile|Guardfile|\.rspec|\.rubocop[^/]*\.yml|composer\.json|mix\.exs|\.(formatter|credo)\.exs|phpcs\.xml[^/]*|phpunit\.xml[^/]*|phpstan\.neon[^/]*|psalm\.xml|codeception\.yml|behat\.yml)`,
  // Everything else that decides what a check does
  String.raw`([Jj]ustfile|Taskfile\.ya?ml|Earthfile|\.gitattributes|\.gitmodules|\.gitlab-ci\.yml|Jenkinsfile|\.pre-commit-config\.yaml|lefthook\.ya?ml)`,
  String.raw`\.(node-version|python-version|ruby-version|tool-versions)|\.?mise(\.\w+)*\.toml|\.env\.(test|testing|ci)(\.\w+)?`,
  // Settings of linters, formatters and runners, and what they leave out
  String.raw`\.(?!(git|docker|npm|gcloud|vscode|cursor|claude|gemini|aider|codex)ignore)[\w-]+(rc|ignore)(\.\w+)*`,
  String.raw`\.(markdownlint|yamllint|hadolint|golangci|swiftlint|clang-tidy|clang-format|scalafmt|scalafix)[^/]*`,
  String.raw`((\.github|\.circleci|\.buildkite|\.mvn|\.cargo|\.yarn)/.+)`,
]);

/** Files that a runner or an interpreter loads without being told to. */
const LOADED = new RegExp(
  [
    String.raw`(^|/)(conftest|sitecustomize|usercustomize)\.py$|\.pth$|(^|/)[^/]+\.(egg|dist)-info/entry_points\.txt$`,
    String.raw`(^|/)(setup|jest|vitest|test)[-_.]?(setup|env|globals?)\.[cm]?[jt]s$|(^|/)setupTests\.[cm]?[jt]sx?$`,
    "(^|/)(tests?|__tests__|specs?)/(.+/)?node_modules/",
    String.raw`(^|/)(spec|test|rails)_helper\.rb$|(^|/)build\.rs$|(^|/)auto_prepend[^/]*\.php$`,
  ].join("|"),
  "i",
);

function folders(names: readonly string[]): RegExp {
  return new RegExp(`(^|/)(${names.join("|")})/`, "i");
}

function files(names: readonly string[]): RegExp {
  return new RegExp(`(^|/)(${names.join("|")})$`);
}

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
  if (LOADED.test(path) || isShadowing(path)) return "loaded";
  return CONFIGURATION.test(path) && !isNestedProject(path) ? "configuration" : undefined;
}

/** Settings of services and version managers. Where no check uses these, they decide nothing here. */
const INERT: readonly { file: RegExp; used_by: RegExp }[] = [
  { file: /(^|\/)\.github\//, used_by: /(^|[\s;&|])act(\s|$)/m },
  { file: /(^|\/)(\.circleci\/|\.buildkite\/|Jenkinsfile$)/, used_by: /\b(circleci|buildkite-agent|jenkins\w*)\b/ },
  { file: /(^|\/)\.gitlab-ci\.yml$/, used_by: /\bgitlab-(runner|ci-local)\b/ },
  { file: /(^|\/)\.pre-commit-config\.yaml$/, used_by: /\b(pre-commit|prek)\b/ },
  { file: /(^|\/)lefthook\.ya?ml$/, used_by: /\blefthook\b/ },
  { file: /(^|\/)\.nvmrc$/, used_by: /\b(nvm|fnm|nodenv|mise|asdf)\b/ },
];

/** Whether the configuration is one of programs that no check uses. */
export function isInert(path: string, commands: readonly string[]): boolean {
  const found = INERT.find(({ file }) => file.test(path));
  return found !== undefined && !commands.some((command) => found.used_by.test(command));
}

/** Whether the user's words name the file. A name that is a word of the language needs a folder or quotation marks before it. */
export function isNamedIn(words: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!words.includes(name)) return false;
  const before = /^[a-z]+$/.test(name) ? "[\"'`/]" : "(?<![\\w-])";
  return new RegExp(`${before}${name.replace(/[^\w\s]/g, "\\$&")}(?!\\w)`).test(words);
}

const NESTED_PROJECT =
  /\/(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|CMakeLists\.txt|Makefile|tsconfig[^/]*\.json)$/;

/** The manifest of a new package beside the old ones says nothing about the old ones' checks. Among tests, it is no package. */
export function isNestedProject(path: string): boolean {
  return NESTED_PROJECT.test(path) && !isTest(path);
}

/** What test runs themselves write: caches and bytecode. */
const WRITTEN_BY_RUNS =
  /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.cache|\.nyc_output|coverage|\.vite|\.turbo|\.eslintcache|\.tox|\.nox)(\/|$)|\.(log|pyc|tsbuildinfo)$|(^|\/)\.(coverage|eslintcache)$/;

/** Bytecode beside its source is loaded in its stead. */
const SHADOWING_BYTECODE = /^(?!.*(^|\/)__pycache__\/).*\.pyc$/;

export function isWrittenByRuns(path: string): boolean {
  return WRITTEN_BY_RUNS.test(path) && !SHADOWING_BYTECODE.test(path) && !isInstalled(path) && !isShadowing(path);
}

const DEPENDENCIES = /(^|\/)(node_modules|\.venv|venv|site-packages|vendor|bower_components)\//;

export function isDependency(path: string): boolean {
  return DEPENDENCIES.test(path);
}

/** Nobody writes there by hand. A folder `vendor` may also be a project's own. */
const INSTALLED = /(^|\/)(node_modules|\.venv|venv|site-packages|bower_components)\/(?!\.cache\/|\.vite)/;

export function isInstalled(path: string): boolean {
  return INSTALLED.test(path) && !path.includes("/__pycache__/");
}

/** Files that name the dependencies: where one has changed, so may the installed ones. */
const MANIFEST =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|requirements[^/]*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(\.lock)?|composer\.(json|lock)|Gemfile(\.lock)?|mix\.(exs|lock)|go\.(mod|sum))$/;

export function isManifest(path: string): boolean {
  return MANIFEST.test(path);
}
