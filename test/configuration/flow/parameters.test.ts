import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readParameters } from "../../../src/configuration/flow/parameters.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { inEnglish } from "../../support/saying.ts";
import { definitionOf, fixture } from "./support.ts";

const agent = definitionOf(fixture("release-checker"));

function refused(given: Record<string, unknown>): string {
  try {
    readParameters(agent, given);
  } catch (error) {
    if (error instanceof E8Error && error.code === "parameter_invalid") return inEnglish(error).message;
    throw error;
  }
  throw new Error("accepted");
}

describe("parameters", () => {
  test("have their defaults, and texts of a command line become what the parameter is", () => {
    expect(readParameters(agent, { prNumber: "12" })).toEqual({ prNumber: 12, areas: ["docs"], branch: "main" });
    expect(readParameters(agent, { prNumber: 12, areas: "docs, api" })).toMatchObject({ areas: ["docs", "api"] });
    expect(readParameters(agent, { prNumber: 12, areas: '["tests"]' })).toMatchObject({ areas: ["tests"] });
  });

  test.each([[["docs"]], [[3]], [["a,b"]], [[["x"]]], [[]]])("take a list of a program's own as it is: %j", (list) => {
    const parameters = { list: { type: "array", description: "x", cli: "--list", required: false } } as const;

    expect(readParameters({ agent: { ...agent.agent, parameters } }, { list })).toEqual({ list });
  });

  test("may be given by their flag", () => {
    expect(readParameters(agent, { "--pr": "3" })).toMatchObject({ prNumber: 3 });
    expect(readParameters(agent, { pr: "3" })).toMatchObject({ prNumber: 3 });
  });

  test("that are empty texts are values", () => {
    expect(refused({ prNumber: 1, branch: "" })).toContain("--branch");
  });

  test("are refused all at once", () => {
    const message = refused({ prNumber: "zero", areas: "docs,moon", branch: "a b", brnch: "x" });

    expect(message.split("\n")).toEqual([
      "brnch: is not a parameter of this agent; did you mean branch?",
      '--pr: "zero" is not a number',
      '--areas: "moon" is not one of "docs", "tests", "api"',
      '--branch: "a b" does not have the form ^[A-Za-z0-9/_-]+$',
    ]);
  });

  test("that are needed and missing are named with what they are for", () => {
    expect(refused({})).toBe("--pr: is needed: the pull request");
    expect(refused({ prNumber: undefined })).toBe("--pr: is needed: the pull request");
  });

  test.each(["0", "-1", "NaN", "Infinity", "1x", "", "0x10"])("refuse %j as a number of at least 1", (value) => {
    expect(refused({ prNumber: value })).toContain("--pr");
  });

  test("read every number that a command line can say", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e15, noNaN: true }), (number) => {
        expect(readParameters(agent, { prNumber: String(number) }).prNumber).toBe(number);
      }),
    );
  });

  test.each([
    ["true", true],
    ["no", false],
    ["1", true],
    [false, false],
  ])("read %j as true or false", (given, value) => {
    const parameters = { on: { type: "boolean", description: "x", cli: "--on", required: false } } as const;
    const definition = { agent: { ...agent.agent, parameters } };

    expect(readParameters(definition, { on: given })).toEqual({ on: value });
  });
});
