import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { interpolate } from "../../../src/judgment/flow/interpolate.ts";
import { runScripts } from "../../support/shells.ts";
import { spell } from "../../support/spell.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "e8-interpolate-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Undefined where the value is refused. */
function jobOf(command: string, x: string) {
  const filled = interpolate(spell(command), { x });
  return "problem" in filled ? undefined : { script: filled.command, args: filled.args };
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
  const place = fc.tuple(script, fc.nat({ max: 20 }), fc.constantFrom(...hostile));
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 50, size: "max" }), (places) => {
      const pairs = places.flatMap(([whole, number, x]) => {
        const command = withOne(whole, number);
        const [filled, plain] = [jobOf(command, x), jobOf(command, "a")];
        return filled && plain ? [[filled, plain] as const] : [];
      });
      const filled = runScripts(
        directory,
        pairs.map(([job]) => job),
      );
      const plain = runScripts(
        directory,
        pairs.map(([, job]) => job),
      );
      expect(filled.map(({ status }) => status)).toEqual(plain.map(({ status }) => status));
      expect(readdirSync(directory)).toEqual([]);
    }),
    { numRuns: 10 },
  );
});
