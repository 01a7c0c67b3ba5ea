import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hidesExitCode, pipeNotices } from "../../../src/configuration/task/pipes.ts";

describe("an exit code is hidden by", () => {
  test.each([
    "npm test | tail -5",
    "npm test|tail -5",
    "npm test 2>&1 | tail -5",
    "npm test |& tail -5",
    "a && b | c",
    "(npm test | tail)",
    "{ npm test | tail; }",
    "if npm test | grep ok; then true; fi",
    "npm test \\\n  | tail",
    "npm test |\n tail",
    "echo 'it''s' | cat",
    'echo "a \\" b" | cat',
    "echo $'it\\'s' | cat",
    "echo \\'x | cat",
    "echo a#b | cat",
    "echo a # comment\nnpm test | tail",
    'echo "$(date)" | cat',
    "echo $(echo ')') | cat",
    "echo $(( 1 + 2 )) | cat",
    "echo `date` | cat",
    "[[ -f x ]] && npm test | tail",
    'echo "[[" | cat',
    "echo [[ | cat",
    "a | b; set -o pipefail",
    "set -o pipefail; a; set +o pipefail; a | b",
    "set -o errexit; a | b",
    "echo set -o pipefail; a | b",
    "a > out | b",
    "a <<< 'x' | b",
  ])("%s", (command) => {
    expect(hidesExitCode(command)).toBe(true);
  });
});

describe("no exit code is hidden by", () => {
  test.each([
    "npm test",
    "",
    "a || b",
    "a||b",
    "a && b; c & d",
    'grep "x | y" file',
    "grep 'x | y' file",
    "grep $'x \\' | y' file",
    "grep x\\|y file",
    "set -o pipefail; a | b",
    "set -euo pipefail; a | b | c",
    "set -e -o pipefail\na | b",
    "set -o pipefail && (a | b)",
    "# a | b",
    "a # b | c",
    'test "$(grep -c x file | head -1)" = 3',
    "test $(a | b) = 3",
    "test `a | b` = 3",
    'echo "x $(echo "y | z") | w"',
    "diff <(sort a | uniq) <(sort b | uniq)",
    "echo x >| file",
    "[[ $x =~ a|b ]]",
    "if ! [[ $x =~ ^(a|b)$ || -f y ]]; then exit 1; fi",
    "(( a | b ))",
    "test $(( 4 | 1 )) -eq 5",
    "echo 'never closed | x",
    'echo "never closed | x',
    "echo $(never closed | x",
    "\\",
  ])("%s", (command) => {
    expect(hidesExitCode(command)).toBe(false);
  });
});

test("whatever the text, there is an answer", () => {
  const shellish = fc.string({ unit: fc.constantFrom(..."a |&;()<>'\"`$\\#\n[]{}") });
  fc.assert(fc.property(shellish, (command) => typeof hidesExitCode(command) === "boolean"));
});

test("quoting a whole command always takes its pipes away", () => {
  const shellish = fc.string({ unit: fc.constantFrom(...'a |&;()<>"`$\\#\n[]{}') });
  fc.assert(fc.property(shellish, (text) => !hidesExitCode(`sh -c '${text}'`)));
});

test("notices name the checks concerned, and pipefail cures them", () => {
  const notices = pipeNotices([
    { type: "semantic", text: "a | b is explained" },
    { type: "command", command: "npm test | tail" },
    { type: "command", command: "npm test | head", pipefail: true },
    { type: "command", command: "npm test" },
  ]);

  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ code: "pipe_hides_exit", details: { command: "npm test | tail" } });
});
