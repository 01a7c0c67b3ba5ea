import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Interpolated, interpolate } from "../../../src/judgment/flow/interpolate.ts";
import { teller } from "../../../src/texts/tell.ts";
import { saying } from "../../support/saying.ts";
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

function run(command: string, values: Record<string, unknown>, shell = "bash") {
  const { command: script, args } = filled(spell(command), values);
  return spawnSync(shell, ["-c", script, "e8", ...args], { cwd: directory, encoding: "utf8", stdio: "pipe" });
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
  test.each(hostile)("%j, however the author quoted it", (x) => {
    expect(run(words("«x}"), { x }, shell).stdout).toBe(`[${x}]`);
    expect(run(words('"«x}"'), { x }, shell).stdout).toBe(`[${x}]`);
    expect(run(words("'«x}'"), { x }, shell).stdout).toBe(`[${x}]`);
    expect(run(words("a«x}b"), { x }, shell).stdout).toBe(`[a${x}b]`);
    expect(run(words("'a '\"«x}\"' b'"), { x }, shell).stdout).toBe(`[a ${x} b]`);
    expect(run(words('"a «x} b"'), { x }, shell).stdout).toBe(`[a ${x} b]`);
    expect(run(words("'a «x} b'"), { x }, shell).stdout).toBe(`[a ${x} b]`);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("also inside substitutions, subshells, pipes and functions", () => {
    const x = "$(touch pwned) '; touch pwned \"";
    expect(run("printf '[%s]' \"$(printf %s «x})\"", { x }, shell).stdout).toBe(`[${x}]`);
    expect(run("printf '[%s]' \"$(printf %s '«x}')\"", { x }, shell).stdout).toBe(`[${x}]`);
    expect(run("(printf '[%s]' «x})", { x }, shell).stdout).toBe(`[${x}]`);
    expect(run("printf %s «x} | cat", { x }, shell).stdout).toBe(x);
    expect(run("f() { printf '[%s]' «x}; }; f other", { x }, shell).stdout).toBe(`[${x}]`);
    expect(run("set -- a b; printf '[%s]' «x} \"$@\"", { x }, shell).stdout).toBe(`[${x}][a][b]`);
    expect(run("printf '[%s]' `printf a` «x}", { x }, shell).stdout).toBe(`[a][${x}]`);
    expect(run("# don't\nprintf '[%s]' «x}", { x }, shell).stdout).toBe(`[${x}]`);
    expect(run("printf '[%s]' \\' «x} \\'", { x }, shell).stdout).toBe(`['][${x}][']`);
    expect(readdirSync(directory)).toEqual([]);
  });
});

test("no part of a value is ever run, whatever stands around it", () => {
  const sign = fc.constantFrom(..."ab '\"`$(){};|&<>\\\n*?[]#!~=-".split(""), "$(touch pwned)", "`touch pwned`");
  const value = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(""));
  const places = ["«x}", '"«x}"', "'«x}'", "$'«x}'", '"a«x}«y}"', "'«y}'«x}", '"$(printf %s "«x}")"'].map(spell);
  fc.assert(
    fc.property(value, value, fc.constantFrom(...places), (x, y, place) => {
      const expected = place.replace(/\$\(printf %s "(.*)"\)/, "$1").replace(/\$'|['"]/g, "");
      const filled = expected.replaceAll(/\$\{([xy])\}/g, (_, name) => (name === "x" ? x : y));
      // A substitution loses the line breaks at its end.
      const lost = place.includes("$(printf") ? filled.replace(/\n+$/, "") : filled;
      expect(run(words(place), { x, y }).stdout).toBe(`[${lost}]`);
      expect(readdirSync(directory)).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 60_000);

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
    'printf %s "$(case a in a) printf %s "«x}";; esac)"',
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
    expect(run("printf %s \\«x}", { x: 1 }).stdout).toBe(spell("«x}"));
    expect(run('printf %s "\\«x}"', { x: 1 }).stdout).toBe(spell("«x}"));
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
  expect(run(words("«n} «b} '«z}' «o}"), { n: 1.5, b: true, z: null, o: { a: "b c" } }).stdout).toBe(
    '[1.5][true][][{"a":"b c"}]',
  );
  expect(run(words("«files}"), { files: ["a b", "$(touch pwned)"] }).stdout).toBe("[a b][$(touch pwned)]");
  expect(run(words('"«files}"'), { files: ["a b", "c"] }).stdout).toBe("[a b c]");
});

test("a digit before a redirection stays a word", () => {
  expect(run("printf %s «n}>out; cat out; rm out", { n: 2 }).stdout).toBe("2");
});

test("a NUL is refused: no program can take one", () => {
  expect(interpolate(spell("echo «x}"), { x: "a\u0000b" })).toEqual({ problem: saying("NUL") });
});
