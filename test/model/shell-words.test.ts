import fc from "fast-check";
import { expect, test } from "vitest";
import { shellTokens } from "../../src/model/shell-words.ts";
import { spell } from "../support/spell.ts";

const tokens = (command: string) => [...shellTokens(spell(command))].map(({ type, text }) => `${type[0]}:${text}`);

test.each([
  ["a b", ["w:a", "w:b"]],
  ["a 'b c' \"d $(e f) g\"", ["w:a", "w:'b c'", 'w:"d $(e f) g"']],
  ["a|b&&c;d", ["w:a", "o:|", "w:b", "o:&&", "w:c", "o:;", "w:d"]],
  ["a >b 2>&1 <c", ["w:a", "r:>", "w:b", "r:2>&", "w:1", "r:<", "w:c"]],
  ["a <<<'b c'", ["w:a", "r:<<<", "w:'b c'"]],
  ["a «x:-b c} «y:-'}'} d", ["w:a", "w:«x:-b c}", "w:«y:-'}'}", "w:d"]],
  ['"«x:-"a b"}" c', ['w:"«x:-"a b"}"', "w:c"]],
  ["a # b\nc", ["w:a", "o:\n", "w:c"]],
  ['"a `b "c d"` e" f', ['w:"a `b "c d"` e"', "w:f"]],
  ["$(a # it's\n) b", ["w:$(a # it's\n)", "w:b"]],
  ['"$(a # it"s\n)" b', ['w:"$(a # it"s\n)"', "w:b"]],
  ["$((16#ff)) b", ["w:$((16#ff))", "w:b"]],
  ["$(a \\ #) b", ["w:$(a \\ #)", "w:b"]],
  ["$(a \\\n# )\n) b", ["w:$(a \\\n# )\n)", "w:b"]],
  ["a \\\n b", ["w:a", "w:b"]],
  ["a\\\nb#c", ["w:a\\\nb#c"]],
  ["a\\\n#b c", ["w:a\\\n#b", "w:c"]],
  ["diff <(a b) c", ["w:diff", "w:<(a b)", "w:c"]],
])("%j is split as a shell would", (command, expected) => {
  expect(tokens(command)).toEqual(expected.map(spell));
});

test("here-document bodies are separated from commands, in order", () => {
  expect(tokens("cat <<A <<'B' | sh\none | two\nA\nthree\nB\nnext")).toEqual([
    "w:cat",
    "r:<<",
    "w:A",
    "r:<<",
    "w:'B'",
    "o:|",
    "w:sh",
    "o:\n",
    "h:one | two",
    "h:three",
    "o:\n",
    "w:next",
  ]);
  const [indented] = [...shellTokens("cat <<-E\n\tx\n\tE\n")].filter(({ type }) => type === "here-document");
  expect(indented).toEqual({ type: "here-document", text: "\tx", isLiteral: false });
  const [quoted] = [...shellTokens("cat <<\\E\n$x\nE")].filter(({ type }) => type === "here-document");
  expect(quoted).toEqual({ type: "here-document", text: "$x", isLiteral: true });
});

test("a here-document that never ends reaches to the end", () => {
  expect(tokens("cat <<E\na\nb")).toEqual(["w:cat", "r:<<", "w:E", "o:\n", "h:a\nb"]);
});

test("every command comes to an end", () => {
  const sign = fc.constantFrom(..."a '\"`$(){}<>|&;\n#\\-E".split(""), "<<E", "${", "$((", "\u{1F600}");
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
      expect(tokens(signs.join("")).length).toBeLessThan(500);
    }),
    { numRuns: 1000 },
  );
});
