import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { textsOf } from "../../../src/connection/agents/command/output-texts.ts";
import { all } from "../../support/stored.ts";

const texts = (...chunks: (string | Buffer)[]) =>
  all(textsOf(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), () => {}));

test("lines come one by one, whatever ends them and wherever the chunks are cut", async () => {
  expect(await texts("a\nb\r", "\n\nc\r\r\n", "d")).toEqual(["a", "b", "", "c\r", "d"]);
});

test("a letter that two chunks share stays whole", async () => {
  const bytes = Buffer.from("日本\n");
  expect(await texts(bytes.subarray(0, 4), bytes.subarray(4))).toEqual(["日本"]);
});

test("of thousands of lines that come at once the first are alone and the others together, and nothing is lost", async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `${index}`);

  const came = await texts(lines.map((line) => `${line}\r\n`).join(""), "the next\nand the last");

  expect(came.length).toBeLessThan(100);
  expect(came.slice(0, 3)).toEqual(["0", "1", "2"]);
  expect(came.slice(-2)).toEqual(["the next", "and the last"]);
  expect(came.join("\n").split("\n")).toEqual([...lines, "the next", "and the last"]);
});
