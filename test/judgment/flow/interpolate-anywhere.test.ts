import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { interpolate } from "../../../src/judgment/flow/interpolate.ts";
import { spell } from "../../support/spell.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "e8-interpolate-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Undefined where the value is refused. */
function run(command: string, values: Record<string, unknown>) {
  const filled = interpolate(spell(command), values);
  if ("problem" in filled) return undefined;
  const { command: script, args } = filled;
  return spawnSync("bash", ["-c", script, "e8", ...args], { cwd: directory, encoding: "utf8", input: "" });
}

/** Whole scripts, each part of them a place that a value may stand in. */
const { script } = fc.letrec<Record<"script" | "command" | "word" | "quoted", string>>((tie) => {
  const list = (part: string, separators: string[], maxLength: number) =>
    fc
      .array(fc.tuple(tie(part as "word"), fc.constantFrom(...separators)), { minLength: 1, maxLength })
      .map((parts) => parts.map((pair) => pair.join("")).join(""));
  const around = (part: fc.Arbitrary<string>, ...ways: string[]) =>
    fc.tuple(part, fc.constantFrom(...ways)).map(([inner, way]) => way.replace("%", () => inner));
  const text = fc.constantFrom("«x}", " «x} ", "`«x}", "$( «x}", "# «x}", "((«x}", "<<E «x}", "{", "}", ")", "a");
  return {
    script: list("command", ["; ", "\n", " && ", " | cat\n"], 3),
    command: fc.oneof(
      { maxDepth: 4 },
      { weight: 8, arbitrary: list("word", [" "], 4).map((words) => `echo ${words}`) },
      { weight: 2, arbitrary: around(tie("script"), "(% )", "{ %\n}", "if true; then %\nfi", "# it's \"a` «x}\n%") },
      {
        weight: 1,
        arbitrary: around(text, "cat <<E\n it's %\nE\n", "cat <<'E'\n# \"%\nE\n", "cat <<-\\E\n\t%\n\tE\n"),
      },
    ),
    word: fc.oneof(
      { maxDepth: 4 },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          "«x}",
          "a«x}b",
          "a#«x}",
          "\\ #",
          "a\\\n#«x}",
          "\\'",
          '\\"',
          "\\`",
          "\\$",
          "\\\\",
          "\\«x}",
          "$",
          '$"«x}"',
          "=«x}",
        ),
      },
      { weight: 3, arbitrary: around(text, "'%'", "$'%'", "$'\\'%'", "'\\'%''") },
      { weight: 5, arbitrary: around(list("quoted", [""], 4), '"%"') },
      { weight: 2, arbitrary: around(tie("script"), "$(%\n)", "`%\n`", "<(%\n)", "$( # it's «x}\n%\n)") },
      { weight: 1, arbitrary: around(tie("word"), "«y:-%}", "$((1+%))") },
    ),
    quoted: fc.oneof(
      { maxDepth: 4 },
      {
        weight: 6,
        arbitrary: fc.constantFrom("«x}", " «x} ", "'«x}'", '\\"', "\\\\", "\\$", "\\`", "$", "# «x}", "<<E «x}"),
      },
      { weight: 2, arbitrary: around(tie("script"), "$(%\n)", "$(%\n)", "`%\n`", "$((1+$(%\n)))") },
      { weight: 1, arbitrary: around(tie("word"), "«y:-%}") },
    ),
  };
});

const hostile = ["'", '"', "'\"'", "\\", ")", "`", "\n", "\nE\n"].flatMap((end) => [
  `${end}; touch pwned; $(touch pwned)`,
  `$(touch pwned)${end}touch pwned #`,
]);

/** The value stands in one of the places; `a` in all others. */
function withOne(command: string, place: number): string {
  const parts = command.split("«x}");
  const kept = parts.length > 1 ? 1 + (place % (parts.length - 1)) : 0;
  return parts.map((part, index) => `${index === 0 ? "" : index === kept ? "«x}" : "a"}${part}`).join("");
}

test("wherever a value stands in a script, none of it is run, and the script ends as with a plain value", () => {
  fc.assert(
    fc.property(script, fc.nat({ max: 20 }), fc.constantFrom(...hostile), (whole, place, x) => {
      const command = withOne(whole, place);
      const ended = run(command, { x });
      if (ended) expect(run(command, { x: "a" })?.status).toBe(ended.status);
      expect(readdirSync(directory)).toEqual([]);
    }),
    { numRuns: 250 },
  );
}, 120_000);
