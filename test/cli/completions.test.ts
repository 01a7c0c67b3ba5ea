import { expect, test } from "vitest";
import { commandTree } from "../../src/cli/completions/command-tree.ts";
import { terminalOutput } from "../../src/cli/output.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { templateNames } from "../../src/connection/flows/flow-templates.ts";
import { Confidence, KnowledgeType } from "../../src/model/roles.ts";
import { en } from "../../src/texts/en/catalogue.ts";

const tree = commandTree(buildProgram({ texts: en, output: terminalOutput() }));

function valuesOf(path: string, flag: string): unknown {
  return tree.find((node) => node.path === path)?.flags.find(({ names }) => names.includes(flag))?.values;
}

test("a flag that takes one of a few words is completed with these words", async () => {
  expect(valuesOf("/knowledge/add", "--type")).toEqual(KnowledgeType.options);
  expect(valuesOf("/knowledge/add", "--confidence")).toEqual(Confidence.options);
  expect(valuesOf("/knowledge/list", "--min-confidence")).toEqual(Confidence.options);
  expect(valuesOf("/knowledge/export", "--format")).toEqual(["markdown", "json"]);
  expect([valuesOf("/agent/init", "--from")].flat().sort()).toEqual((await templateNames()).sort());
});

test("no category is guessed, least of all agent", () => {
  expect(valuesOf("/knowledge/list", "--category")).toBe("text");
});
