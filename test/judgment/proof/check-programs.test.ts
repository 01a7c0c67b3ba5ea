import { describe, expect, test } from "vitest";
import type { ProtectionBasis } from "../../../src/judgment/proof/protection.ts";
import { added, found, modified } from "./protection-support.ts";

const reads = (before: string | undefined, now: string | undefined = before) => ({
  text: (_: string, when: "start" | "now") => (when === "start" ? before : now),
});
const runs = (...commands: string[]) => ({ commands });
const ADD = "echo $(($1 - $2))\n";

describe("a program whose output the check compares is what is tested", () => {
  test.each([
    ['test "$(sh add.sh 1 2)" = 3', "add.sh"],
    ['[ "`./add.sh 1 2`" = 3 ] || exit 1', "add.sh"],
    ["[[ $(timeout 5 bin/hi) == Hello ]]", "bin/hi"],
    ['test "$(node tools/convert.js a.csv)" = "1;2"', "tools/convert.js"],
    ["sh add.sh 1 2 | grep -qx 3", "add.sh"],
    ["bin/hi | sort | diff - wanted.txt", "bin/hi"],
    ["diff <(bin/hi) wanted.txt", "bin/hi"],
    ["sh add.sh 1 2 > out.txt && cmp out.txt wanted.txt", "add.sh"],
    ['out=$(sh add.sh 1 2)\nif [ "$out" != 3 ]; then echo "that has failed"; exit 1; fi', "add.sh"],
    ['expect() { [ "$1" = "$2" ]; }\nexpect 3 "$(sh add.sh 1 2)"', "add.sh"],
    ['sh add.sh --help && test "$(sh add.sh 1 2)" = 3', "add.sh"],
    ["! sh add.sh", "add.sh"],
    ["shellcheck add.sh && sh -n add.sh", "add.sh"],
  ])("%s", (command, path) => {
    expect(found([modified(path)], { ...runs(command), ...reads(ADD) })).toEqual([]);
  });

  test("also by a function of a library that the check's script loads", () => {
    const texts = ['. ci/lib.sh\nexpect 3 "$(sh bin/add 1 2)"\n', 'expect() {\n  [ "$1" = "$2" ] || exit 1\n}\n'];
    expect(found([modified("bin/add")], { ...runs("sh ci/run.sh", ...texts), ...reads(ADD) })).toEqual([]);
  });

  test.each([
    ["sh add.sh 1 2", "add.sh"],
    ["sh suite.sh > report.txt", "suite.sh"],
    ["sh suite.sh | tee report.txt", "suite.sh"],
    ["sh suite.sh | grep -q 'all passed'", "suite.sh"],
    ['test "$(sh suite.sh)" = ok', "suite.sh"],
    ['out=$(sh suite.sh); test "$out" = passed', "suite.sh"],
    ['test "$(sh check.sh)" = 3', "check.sh"],
    ['test "$(sh ci/count.sh)" = 3', "ci/count.sh"],
    ['sh "$(dirname "$0")/suite.sh"', "suite.sh"],
    ["grep -q x wanted.txt; sh suite.sh", "suite.sh"],
    ["if ! sh suite.sh; then exit 1; fi", "suite.sh"],
    ["! sh suite.sh && exit 1", "suite.sh"],
    ["grep -l x ci/* | xargs sh suite.sh", "suite.sh"],
    ["sh build.steps", "build.steps"],
  ])("a program that gives the verdict is not: %s", (command, path) => {
    expect(found([modified(path)], { ...runs(command), ...reads(ADD) })).toEqual([`named ${path}`]);
  });
});

describe("a library that a script of the check loads", () => {
  const LIBRARY = 'greet() { echo "Bye, $1!"; }\n';
  const check = (path: string) => runs("sh ci/run.sh", `set -e\n. ./${path}\n[ "$(greet Ada)" = "Hello, Ada!" ]\n`);

  test("is what is tested, where it has functions that the script asks", () => {
    const basis = { ...check("lib/greet.sh"), ...reads(LIBRARY, LIBRARY.replace("Bye", "Hello")) };
    expect(found([modified("lib/greet.sh")], basis)).toEqual([]);
  });

  test.each([
    ["ci/greet.sh", LIBRARY],
    ["helpers/assertions.sh", LIBRARY],
    ["lib/same.sh", 'same() { [ "$1" = "$2" ] || exit 1; }\n'],
    ["lib/wanted.sh", "WANTED=6\n"],
    ["lib/strict.sh", "set -eu\ngreet() { :; }\n"],
    ["lib/unread.inc", undefined],
  ])("belongs to the check where it is kept with it, compares, or sets something: %s", (path, text) => {
    expect(found([modified(path)], { ...check(path), ...reads(text) })).toEqual([`named ${path}`]);
  });

  test.each(["expect() { :; }\n", "exit 0\n", "grep() { true; }\n", "set +e\n"])(
    "must not decide for it: %j",
    (more) => {
      const { commands } = check("lib/greet.sh");
      const basis = { ...runs(...commands, 'expect() { [ "$1" = "$2" ]; }\n'), ...reads(LIBRARY, LIBRARY + more) };
      expect(found([modified("lib/greet.sh")], basis)).toEqual(["weakening lib/greet.sh"]);
    },
  );

  test("is found by the folder of its script, and is asked for where the script needs it", () => {
    const [, script = ""] = check("lib/greet.sh").commands;
    for (const folder of ['"$(dirname "$0")"', '$(cd "$(dirname "$0")" && pwd)'])
      expect(found([modified("ci/lib.sh")], runs("sh ci/run.sh", `. ${folder}/lib.sh\n`))).toEqual(["named ci/lib.sh"]);
    expect(found([added("lib/greet.sh")], { ...runs(script), ...reads(undefined, LIBRARY) })).toEqual([]);
  });
});

describe("a file that programs of the check load is found however it is named", () => {
  test.each([
    ["BASH_ENV=lib/env.inc bash check.sh", "lib/env.inc"],
    ["NODE_OPTIONS=--require=./lib/pre.cjs node test/all.js", "lib/pre.cjs"],
    ['NODE_OPTIONS="--import ./lib/pre.mjs" npm test', "lib/pre.mjs"],
    ["env $(cat .env | xargs) node test/all.js", ".env"],
    ["make -f build.make test", "build.make"],
    ["node show.mjs | awk -f same.awk", "same.awk"],
    ["python3 -c 'import harness; harness.run()'", "harness.py"],
    ['import { same } from "./harness.js"', "harness.js"],
  ])("%s", (command, path) => {
    expect(found([modified(path)], { ...runs(command), ...reads("greet() { :; }\n") })).toEqual([`named ${path}`]);
  });
});

describe("a program that decides by itself", () => {
  const VERDICT = 'import { sum } from "./src/sum.js";\nif (sum() !== 6) process.exit(1);\n';
  const judged = (command: string, more: Partial<ProtectionBasis> = {}) => ({
    ...runs(command),
    ...reads(VERDICT),
    ...more,
  });

  test.each([
    ["timeout 60 node suite.mjs", "suite.mjs"],
    ["time env A=1 node suite.mjs --all", "suite.mjs"],
    ["node suite.mjs > report.txt", "suite.mjs"],
    ["node suite.mjs 2>&1 | tee report.txt", "suite.mjs"],
    ["python3 manage.py test", "manage.py"],
    ["python3 setup.py check", "setup.py"],
    ["node src/check.js --all", "src/check.js"],
  ])("%s", (command, path) => expect(found([modified(path)], judged(command))).toEqual([`named ${path}`]));

  test.each([
    ["python3 manage.py runserver", "manage.py"],
    ["node src/validate.js samples/empty.json", "src/validate.js"],
    ["node convert.mjs < in.txt", "convert.mjs"],
  ])("the work is none: %s", (command, path) => expect(found([modified(path)], judged(command))).toEqual([]));

  test("decides also by a module for checking that it imports", () => {
    const text = 'import { same } from "./harness.js";\nsame(1, 1);\n';
    expect(found([modified("run-all.js")], { ...runs("node run-all.js"), ...reads(text) })).toEqual([
      "named run-all.js",
    ]);
  });

  test("is not freed by a task that names it as the measure", () => {
    const task = (words: string) => ({ task: words, ...reads(VERDICT) });
    for (const words of ["Make check.sh pass.", "`check.sh` must pass", "check.sh を成功させる"])
      expect(found([modified("check.sh")], { ...runs("sh check.sh"), ...task(words) })).toEqual(["named check.sh"]);
    const suite = { ...runs("node suite.mjs"), ...task("Make suite.mjs pass.") };
    expect(found([modified("suite.mjs")], suite)).toEqual(["named suite.mjs"]);
    const asked = { ...runs("grep -q lint ci/run.sh"), ...task("ci/run.sh forgets to lint.") };
    expect(found([modified("ci/run.sh")], asked)).toEqual([]);
  });
});
