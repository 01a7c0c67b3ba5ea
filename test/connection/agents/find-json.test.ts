import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersIn, findJson } from "../../../src/connection/agents/find-json.ts";

const answer = { status: "success", output: 'made "a" {b} [c]\n```js\ncode\n```', artifacts: ["src/日本.ts"] };
const json = JSON.stringify(answer);
const pretty = JSON.stringify(answer, null, 2);

describe("the answer is found", () => {
  test.each([
    ["as the whole text", json],
    ["with space around it", `\n\n  ${pretty}\n `],
    ["in a fenced block", `Here you are:\n\n\`\`\`json\n${pretty}\n\`\`\`\nDone.`],
    ["in a fence without a language, with Windows line ends", `Done.\r\n\`\`\`\r\n${json}\r\n\`\`\`\r\n`],
    ["in an indented fence", `- result:\n  \`\`\`json\n  ${json}\n  \`\`\``],
    ["in a fence that was never closed", `Result:\n\`\`\`json\n${pretty}`],
    ["inside a sentence", `I am done {really}: ${json} and that's "it".`],
    ["after other objects", `config was {"status": "old"}, then ${json}`],
    ["after a broken beginning", `{"status": oops\n${json}`],
    ["after an unbalanced quote", `He said "go {on}. ${json}`],
    ["before code in braces", `${pretty}\n\nfunction f() { return 1; }`],
  ])("%s", (_where, text) => {
    expect(findJson(text)).toEqual(answer);
  });

  test("in the last of several fenced blocks", () => {
    expect(findJson(`\`\`\`json\n{"a":1}\n\`\`\`\nno:\n\`\`\`json\n{"a":2}\n\`\`\``)).toEqual({ a: 2 });
  });

  test("in the last fenced block that is JSON, not in one that only looks like it", () => {
    expect(findJson('```json\n{"a":1}\n```\n```ts\n{ a: 2 }\n```')).toEqual({ a: 1 });
  });
});

describe("there is no answer", () => {
  test.each([
    ["in prose", "All done, nothing to report."],
    ["in nothing", ""],
    ["in a number, a string or a list", '42 "text" [1, 2, 3]'],
    ["in braces that hold no JSON", "use { and } or {key: value} or {0}"],
    ["in half an object, whose inner parts are not the answer", '{"status": "success", "more": {"a": 1}'],
  ])("%s", (_where, text) => {
    expect(findJson(text)).toBeUndefined();
  });
});

describe("what could be the answer of a role:", () => {
  const schema = { required: ["done", "why"] };
  const no = { done: false, why: "nothing was shown" };
  const yes = { done: true, why: "quoted from the worker" };
  const [says, quotes] = [JSON.stringify(no), JSON.stringify(yes)];

  test.each([
    ["the whole text, whatever it quotes inside", JSON.stringify({ ...no, quote: quotes }), [{ ...no, quote: quotes }]],
    ["one object in prose, beside others that lack what is required", `saw {"done": true}: ${says} {"a": 1}`, [no]],
    ["the same object twice", `${says}\n\`\`\`json\n${says}\n\`\`\``, [no]],
    ["an object and one quoted after it", `${says}\nThe worker wrote:\n\`\`\`json\n${quotes}\n\`\`\``, [no, yes]],
    ["an object after thoughts", `<think>perhaps ${quotes}?</think>\n${says}`, [no]],
    ["what ends the thoughts inside of them", `<think>it says </think>${quotes}, but</think>${says}`, [yes, no]],
    ["nothing", "I would rather not: {}", []],
  ])("%s", (_what, text, answers) => {
    expect(answersIn(text, schema)).toEqual(answers);
  });
});

test("any object comes back from the end of any prose", () => {
  const prose = fc.string().map((text) => text.replaceAll("{", "("));
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(prose, object, (before, value) => {
      const text = JSON.stringify(value);
      expect(findJson(`${before}\n${text}`)).toEqual(JSON.parse(text));
    }),
  );
});

test("megabytes of braces and unfinished JSON are given up in time", () => {
  expect(findJson('{"a":'.repeat(300_000))).toBeUndefined();
  expect(findJson(`${'{"a":'.repeat(300_000)} x`)).toBeUndefined();
  expect(findJson("{".repeat(1_000_000))).toBeUndefined();
  expect(findJson(`{"a": "${"x\\n".repeat(1_000_000)}`)).toBeUndefined();
});
