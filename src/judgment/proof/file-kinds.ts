import type { ProtectionReason } from "../../model/proof-record.ts";

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

const PYTHON_MODULES = `
  pytest _pytest pluggy iniconfig packaging attr attrs exceptiongroup tomli pygments colorama xdist coverage pytest_cov pytest_mock
  pytest_asyncio nose nose2 hypothesis mock assertpy numpy abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
  binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
  email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
  getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json
  keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath
  nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
  rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
  sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny
  tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
  types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile
  zipimport zlib zoneinfo
`
  .trim()
  .split(/\s+/);

/** A module of this name is imported instead of the standard library's, or of one that runners rely on. */
const SHADOWING = new RegExp(
  [
    String.raw`^(src/|lib/)?(${PYTHON_MODULES.join("|")})(\.py|/__(init|main)__\.py)$`,
    String.raw`^(lib|test|spec)/(minitest|rspec|test/unit)(/.+)?\.rb$|^lib/Test/[^/]+\.pm$|(^|/)(assert|cassert|check|gtest/gtest)\.h$`,
  ].join("|"),
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
  if (LOADED.test(path) || SHADOWING.test(path)) return "loaded";
  return CONFIGURATION.test(path) && !isNestedProject(path) ? "configuration" : undefined;
}

/** Whether the user's words name the file. */
export function isNamedIn(words: string, path: string): boolean {
  return words.includes(path.slice(path.lastIndexOf("/") + 1));
}

const NESTED_PROJECT =
  /\/(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|CMakeLists\.txt|Makefile|tsconfig[^/]*\.json)$/;

/** The manifest of a new package beside the old ones says nothing about the old ones' checks. Among tests, it is no package. */
function isNestedProject(path: string): boolean {
  return NESTED_PROJECT.test(path) && !isTest(path);
}

/** What test runs themselves write: caches and bytecode. */
const WRITTEN_BY_RUNS =
  /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.cache|\.nyc_output|coverage|\.vite|\.turbo|\.eslintcache|\.tox|\.nox)(\/|$)|\.(log|pyc|tsbuildinfo)$|(^|\/)\.(coverage|eslintcache)$/;

/** Bytecode beside its source is loaded in its stead. */
const SHADOWING_BYTECODE = /^(?!.*(^|\/)__pycache__\/).*\.pyc$/;

export function isWrittenByRuns(path: string): boolean {
  return WRITTEN_BY_RUNS.test(path) && !SHADOWING_BYTECODE.test(path) && !isInstalled(path);
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
