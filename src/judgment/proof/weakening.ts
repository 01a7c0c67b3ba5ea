import { count } from "./own-tests.ts";

/** Statements by which a new test file decides about other tests: it ends the runner, or keeps others from running. */
const HIJACKING = new RegExp(
  [
    String.raw`^(process\.(exit|reallyExit)|os\._exit|sys\.exit|exit|quit)\(`,
    String.raw`^func TestMain\(`,
    String.raw`^\s*(test|it|describe|suite|context)\.only\(`,
    String.raw`^[A-Za-z_.]+\.prototype(\.\w+)+ *=[^=]`,
    String.raw`^(setattr|Object\.(assign|defineProperty))\((builtins|globalThis)`,
    String.raw`^require\.cache\[.*\] *=(?!=)`,
    String.raw`^(mock\.)?patch(\.\w+)?\(.*\)\.start\(\)`,
    String.raw`^pytest_plugins\b(?!.*["'](pytester|_?pytest[\w.]*)["'][\s,\])]*$)`,
    String.raw`^#\[ctor\]`,
  ].join("|"),
  "m",
);

/** What a new test file is read with. */
export interface TestSurroundings {
  /** The commands of the checks, with the texts of the scripts that they run. */
  commands: readonly string[];
  /** Whether the project had a module of Python's by this name. */
  has_module: (name: string) => boolean;
}

/** Whether a new test file decides about other tests. */
export function hijacksTests(text: string, { commands, has_module }: TestSurroundings): boolean {
  const stubbed = [...text.matchAll(/^sys\.modules\[["']([\w.]+)["']\] *=(?!=)/gm)].map(([, name = ""]) => name);
  return (
    HIJACKING.test(text) ||
    replacementsIn(text) > 0 ||
    replacesImported(text) ||
    stubbed.some(has_module) ||
    (/\(\(\s*constructor\b/.test(text) && /\b_?(exit|quick_exit|kill|raise|exec\w+)\s*\(/i.test(text)) ||
    hijacksShell(text, commands)
  );
}

/** A script reads files into itself that it finds by a pattern: a new one may end it, or give its functions another meaning. */
const SOURCES_ALL = /(?:^|[\s;&|(])(?:\.|source)[ \t]+["']?(?:\.\/)?\$\{?\w+\}?["']?[ \t]*(?:[;&)\n]|$)/m;

function hijacksShell(text: string, commands: readonly string[]): boolean {
  if (!commands.some((command) => SOURCES_ALL.test(command))) return false;
  const named = (script: string) =>
    [...script.matchAll(/^[ \t]*(?:function[ \t]+)?([\w-]+)[ \t]*\(\)/gm)].map(([, one]) => one);
  const known = new Set(commands.flatMap(named));
  return /^(exit|exec|return)\b(?![ \t]+[1-9])/m.test(text) || named(text).some((one) => known.has(one));
}

const ASSERTING = String.raw`(?:node:)?(?:assert(?:\/strict)?|test)|vitest|@jest\/globals|chai|expect|should`;
const BINDINGS = [
  new RegExp(String.raw`\bimport\s+([^"';]+?)\s+from\s*["'](?:${ASSERTING})["']`, "g"),
  new RegExp(String.raw`\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(["'](?:${ASSERTING})["']\)`, "g"),
  /^[ \t]*import[ \t]+((?:unittest|_?pytest|builtins)\b[^\n;#]*)/gm,
  /^[ \t]*from[ \t]+(?:unittest|_?pytest)[\w.]*[ \t]+import[ \t]+([^\n;#]+)/gm,
];
const ALWAYS_BOUND = [
  "assert",
  "expect",
  "chai",
  "unittest",
  "pytest",
  "builtins",
  "Assert",
  "globalThis\\.(?:assert|expect)",
];
/** Settings of how a difference is printed. */
const HARMLESS = String.raw`(?!\.\w*\.?(?:maxDiff|longMessage|_MAX_LENGTH)\b)`;

/** How often a text gives assertions, or what runs tests, another meaning. */
export function replacementsIn(text: string): number {
  const bound = BINDINGS.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, names = ""]) => namesIn(names)));
  const name = `(?:${[...new Set([...ALWAYS_BOUND, ...bound])].join("|")})`;
  const replacing = new RegExp(
    [
      String.raw`(?<![\w.$])${name}${HARMLESS}(?:\.\w+|\[["'][^\]]+\])+[ \t]*=(?![=>])`,
      String.raw`\b(?:setattr|Object\.(?:assign|definePropert(?:y|ies))|Reflect\.set)\(\s*${name}\b`,
      String.raw`\bsys\.modules\[["'](?:unittest|_?pytest)`,
      String.raw`\(\s*["'](?:${ASSERTING})["']\s*\)(?:\.\w+)+[ \t]*=(?![=>])`,
    ].join("|"),
    "g",
  );
  return count(text, replacing);
}

/** What only a test does for itself, and no program to its tests. */
const OF_PROGRAMS = new RegExp(
  [
    String.raw`\b(expect|chai|jasmine)\.(extend|use|addMatchers)\(`,
    String.raw`\bpatch\.(object|multiple)\(\s*(\w+\.)*TestCase\b|\bpatch\(\s*["'](unittest|_?pytest)\.`,
    String.raw`^[ \t]*(sys\.exit|os\._exit|process\.(exit|reallyExit)) *=(?!=)`,
    String.raw`\bmacro_rules!\s*(debug_)?assert(_eq|_ne)?\b`,
    String.raw`^[ \t]*#[ \t]*(undef[ \t]+assert|define[ \t]+(assert|NDEBUG))\b`,
  ].join("|"),
  "gm",
);

/** `a, { b as c }`, `* as a`, `unittest as u`, `TestCase as T, b`: the names that are bound. */
function namesIn(list: string): string[] {
  const parts = list.replace(/[{}()*]/g, " ").split(",");
  const names = parts.map((part) => part.trim().split(/\s+as\s+|\s*:\s*|\./));
  return names.flatMap((all) => all.slice(-1)).filter((name) => /^\w+$/.test(name) && !STAND_INS.test(name));
}

/** What is set on these decides about nothing but themselves. */
const STAND_INS = /^(mock|patch|Mock|MagicMock|AsyncMock|call|vi|jest)$/;

/** What a program may not do to the assertions of its tests: it may not add matchers of its own either. */
export function replacesAssertions(before: string, now: string): boolean {
  const all = (text: string) => replacementsIn(text) + count(text, OF_PROGRAMS);
  return all(now) > all(before);
}

/** Whether a test replaces a function of a module that it imports, for all tests after it. A plain value replaces none. */
function replacesImported(text: string): boolean {
  const imported = [
    ...text.matchAll(/^import[ \t]+([\w., \t]+)$/gm),
    ...text.matchAll(/^(?:const|let|var)[ \t]+(\w+)[ \t]*=[ \t]*require\(["']\.[^"']*["']\)/gm),
  ].flatMap(([, names = ""]) => namesIn(names));
  if (imported.length === 0) return false;
  const one = `(?:${imported.join("|")})`;
  const plain = String.raw`(?:True|False|None|true|false|null|undefined|-?[\d.]+|["'][^"'\n]*["']|(?:jest|vi|sinon|mock)\b.*)\s*;?\s*(?:#.*)?$`;
  return new RegExp(
    String.raw`^(?!sys\.)(?:${one}(?:\.\w+)+ *=(?!=)(?! *${plain})|setattr\(${one}\b|(?:vars\(${one}\)|${one}\.__dict__)(?:\[.*\] *=(?!=)|\.update\())`,
    "m",
  ).test(text);
}

/** By which comment a finding of a tool is kept quiet. */
const SUPPRESSIONS: readonly { tool: RegExp; comment: RegExp }[] = [
  { tool: /\b(vue-)?tsc\b|\btype-?check/, comment: /@ts-(ignore|nocheck|expect-error)\b/g },
  { tool: /\b(eslint|xo|standard)\b/, comment: /\beslint-disable/g },
  { tool: /\boxlint\b/, comment: /\b(ox|es)lint-disable/g },
  { tool: /\bbiome\b/, comment: /\bbiome-ignore/g },
  { tool: /\bprettier\b/, comment: /\bprettier-ignore/g },
  {
    tool: /\b(mypy|(based)?pyright|pyre)\b/,
    comment: /#\s*(type:\s*ignore|pyright:\s*(ignore|basic|off)|mypy:\s*ignore)/g,
  },
  { tool: /\b(ruff|flake8|pycodestyle)\b/, comment: /#\s*(ruff:\s*|flake8:\s*)?noqa\b/gi },
  { tool: /\bpylint\b/, comment: /pylint:\s*(disable|skip-file)/g },
  { tool: /\bclippy\b/, comment: /#!?\[(allow|expect)\(/g },
  { tool: /\b(golangci-lint|staticcheck|revive)\b/, comment: /\/\/\s*(nolint|lint:ignore|revive:disable)/g },
  { tool: /\brubocop\b/, comment: /rubocop:(disable|todo)/g },
  { tool: /\bshellcheck\b/, comment: /shellcheck\s+disable=/g },
  { tool: /\b(phpstan|psalm)\b/, comment: /@(phpstan-ignore|psalm-suppress)/g },
  { tool: /\bstylelint\b/, comment: /\bstylelint-disable/g },
  { tool: /\byamllint\b/, comment: /#\s*yamllint\s+disable/g },
  { tool: /\b(bandit|gosec)\b/, comment: /#\s*nosec\b/gi },
  { tool: /\bsemgrep\b/, comment: /\bnosemgrep\b/g },
  { tool: /\bmarkdownlint/, comment: /<!--\s*markdownlint-(disable|configure)/g },
  { tool: /\bhadolint\b/, comment: /#\s*hadolint\s+ignore=/g },
  { tool: /coverage|--cov\b|\b(nyc|c8)\b/, comment: /\b(istanbul|c8|v8|coverage:) ?ignore|pragma: no cover/g },
];

/** Whether a change keeps a tool quiet that a check runs. */
export function silencesTools(before: string, now: string, commands: readonly string[]): boolean {
  const used = SUPPRESSIONS.filter(({ tool }) => commands.some((command) => tool.test(command)));
  return used.some(({ comment }) => count(now, comment) > count(before, comment));
}
