import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Interpolated, interpolate } from "../../../src/judgment/flow/interpolate.ts";
import { teller } from "../../../src/texts/tell.ts";
import { saying } from "../../support/saying.ts";
import { runScripts } from "../../support/shells.ts";
import { spell } from "../../support/spell.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "e8 ünterpolate "));
});
afterAll(() => rmSync(directory, { recursive: true }));

const shells = ["bash", "sh"].filter((shell) => spawnSync(shell, ["-c", "true"]).status === 0);

function filled(command: string, values: Record<string, unknown>): Interpolated {
  const result = interpolate(command, values);
  if ("problem" in result) throw new Error(teller("en")(result.problem));
  return result;
}

interface Case {
  command: string;
  values: Record<string, unknown>;
  shell?: string;
}

function runAll(cases: readonly Case[]) {
  const jobs = cases.map(({ command, values, shell = "bash" }) => {
    const { command: script, args } = filled(spell(command), values);
    return { shell, script, args };
  });
  return runScripts(directory, jobs);
}

function run(command: string, values: Record<string, unknown>) {
  return runAll([{ command, values }])[0];
}

const words = (command: string) => `for word in ${command}; do printf '[%s]' "$word"; done`;

const hostile = [
  "$(touch pwned)",
  "`touch pwned`",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "'\"; touch pwned; \"'",
  "a b\tc\nd",
  "; touch pwned",
  "&& touch pwned",
  "| touch pwned",
  "> pwned",
  "*",
  "~",
  "«HOME}",
  "$HOME",
  "$1",
  "«e8_1}",
  "«x}",
  "\\",
  "\\'",
  "",
  "#",
  "-n",
  "!",
  "{a,b}",
  "a\\",
  "日本語 ü",
].map(spell);

describe.each(shells)("in %s a value stays one word", (shell) => {
  /** Each command with what it must print. */
  function expectOutputs(x: string, expected: readonly (readonly [command: string, output: string])[]): void {
    const outcomes = runAll(expected.map(([command]) => ({ command, values: { x }, shell })));
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(expected.map(([, output]) => output));
    expect(readdirSync(directory)).toEqual([]);
  }

  test.each(hostile)("%j, however the author quoted it", (x) => {
    expectOutputs(x, [
      [words("«x}"), `[${x}]`],
      [words('"«x}"'), `[${x}]`],
      [words("'«x}'"), `[${x}]`],
      [words("a«x}b"), `[a${x}b]`],
      [words("'a '\"«x}\"' b'"), `[a ${x} b]`],
      [words('"a «x} b"'), `[a ${x} b]`],
      [words("'a «x} b'"), `[a ${x} b]`],
    ]);
  });

  test("also inside substitutions, subshells, pipes and functions", () => {
    const x = "$(touch pwned) '; touch pwned \"";
    expectOutputs(x, [
      ["printf '[%s]' \"$(printf %s «x})\"", `[${x}]`],
      ["printf '[%s]' \"$(printf %s '«x}')\"", `[${x}]`],
      ["(printf '[%s]' «x})", `[${x}]`],
      ["printf %s «x} | cat", x],
      ["f() { printf '[%s]' «x}; }; f other", `[${x}]`],
      ["set -- a b; printf '[%s]' «x} \"$@\"", `[${x}][a][b]`],
      ["printf '[%s]' `printf a` «x}", `[a][${x}]`],
      ["# don't\nprintf '[%s]' «x}", `[${x}]`],
      ["printf '[%s]' \\' «x} \\'", `['][${x}][']`],
    ]);
  });
});

test("no part of a value is ever run, whatever stands around it", () => {
  const sign = fc.constantFrom(..."ab '\"`$(){};|&<>\\\n*?[]#!~=-".split(""), "$(touch pwned)", "`touch pwned`");
  const value = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(""));
  const places = ["«x}", '"«x}"', "'«x}'", "$'«x}'", '"a«x}«y}"', "'«y}'«x}", '"$(printf %s "«x}")"'].map(spell);
  const filled = ({ x, y, place }: { x: string; y: string; place: string }) => {
    const expected = place.replace(/\$\(printf %s "(.*)"\)/, "$1").replace(/\$'|['"]/g, "");
    const text = expected.replaceAll(/\$\{([xy])\}/g, (_, name) => (name === "x" ? x : y));
    // A substitution loses the line breaks at its end.
    return place.includes("$(printf") ? text.replace(/\n+$/, "") : text;
  };
  const one = fc.record({ x: value, y: value, place: fc.constantFrom(...places) });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 40, size: "max" }), (all) => {
      const outcomes = runAll(all.map(({ x, y, place }) => ({ command: words(place), values: { x, y } })));
      expect(outcomes.map(({ stdout }) => stdout)).toEqual(all.map((each) => `[${filled(each)}]`));
      expect(readdirSync(directory)).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

describe("where a value would be read as code", () => {
  const places = [
    "echo $(( «x} + 1 ))",
    "(( «x} > 1 ))",
    "[[ «x} -eq 1 ]]",
    "echo «y:-«x}}",
    "cat <<EOF\n«x}\nEOF",
    "cat <<'EOF'\n«x}\nEOF",
    "eval echo «x}",
    "sh -c 'echo «x}'",
    'bash -lc "echo «x}"',
    "sudo sh -c 'echo «x}'",
    "python3 -c 'print(\"«x}\")'",
    "node -e 'console.log(\"«x}\")'",
    "awk '/«x}/'",
    "sed s/a/«x}/",
    "let n=«x}",
    "trap '«x}' EXIT",
    'echo "`echo «x}`"',
    "cat <<E\n# «x}\nE",
    "echo $((cat <<E\n'\nE\n) ) '«x}'",
  ].map(spell);

  test.each(places)("only a plain one is put in: %s", (command) => {
    for (const x of ["$(touch pwned)", "a[$(touch pwned)]", "a b", "'", ""]) {
      expect(interpolate(command, { x })).toEqual({ problem: saying(spell("«x}")) });
    }
    expect(interpolate(command, { x: 12 })).toEqual({ command: command.replace(spell("«x}"), "12"), args: [] });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("text that is not a placeholder is left to the shell", () => {
  const untouched = (command: string, values: Record<string, unknown>) =>
    filled(spell(command), values).command === spell(command);

  test("a name without a value, an undefined one, an escaped one", () => {
    expect(untouched("echo «HOME} $x", {})).toBe(true);
    expect(untouched("echo «x}", { x: undefined })).toBe(true);
    expect(run("printf %s \\«x}", { x: 1 })?.stdout).toBe(spell("«x}"));
    expect(run('printf %s "\\«x}"', { x: 1 })?.stdout).toBe(spell("«x}"));
    expect(untouched("echo «toString}", {})).toBe(true);
    expect(untouched("echo «x}", { x: 1 })).toBe(false);
  });

  test("and the shell's own variables still work beside it", () => {
    const env = { ...process.env, GREETING: "hello" };
    const { command, args } = filled(spell('printf "%s %s" "«GREETING}" "«x}"'), { x: "you" });
    expect(execFileSync("bash", ["-c", command, "e8", ...args], { encoding: "utf8", env })).toBe("hello you");
  });
});

test("numbers, booleans and null are written as text, objects as JSON, the items of a list each as a word", () => {
  expect(run(words("«n} «b} '«z}' «o}"), { n: 1.5, b: true, z: null, o: { a: "b c" } })?.stdout).toBe(
    '[1.5][true][][{"a":"b c"}]',
  );
  expect(run(words("«files}"), { files: ["a b", "$(touch pwned)"] })?.stdout).toBe("[a b][$(touch pwned)]");
  expect(run(words('"«files}"'), { files: ["a b", "c"] })?.stdout).toBe("[a b c]");
});

test("a digit before a redirection stays a word", () => {
  expect(run("printf %s «n}>out; cat out; rm out", { n: 2 })?.stdout).toBe("2");
});

test("a NUL is refused: no program can take one", () => {
  expect(interpolate(spell("echo «x}"), { x: "a\u0000b" })).toEqual({ problem: saying("NUL") });
});
