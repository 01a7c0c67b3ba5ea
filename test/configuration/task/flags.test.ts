import { describe, expect, test } from "vitest";
import type { Flags } from "../../../src/configuration/task/flags.ts";
import { MINIMAL, resolved, thrown } from "./support.ts";

const EVERYTHING_SET = `task: file's task
criteria: file's criterion
max_iterations: 3
intake: true
budget: {cost_usd: 1, tokens: 1, minutes: 1}
`;

describe("every flag beats both files, and says so", () => {
  test.each<[Flags, string, string, unknown]>([
    [{ task: "mine" }, "task", "command line", "mine"],
    [{ criteria: ["mine"] }, "criteria", "flag --criteria/--check/--unchanged", [{ type: "semantic", text: "mine" }]],
    [{ maxIterations: "20" }, "max_iterations", "flag --max-iterations", 20],
    [{ maxCost: "2.50" }, "budget.cost_usd", "flag --max-cost", 2.5],
    [{ rawLog: true }, "logging.raw_log", "flag --raw-log", true],
    [{ checkTimeout: "90" }, "command_timeout", "flag --check-timeout", 90],
    [{ checkTimeout: "10m" }, "command_timeout", "flag --check-timeout", 600],
    [{ maxTokens: "1000000" }, "budget.tokens", "flag --max-tokens", 1_000_000],
    [{ maxTokens: "500k" }, "budget.tokens", "flag --max-tokens", 500_000],
    [{ maxTokens: "2M" }, "budget.tokens", "flag --max-tokens", 2_000_000],
    [{ maxTokens: "1.1m" }, "budget.tokens", "flag --max-tokens", 1_100_000],
    [{ maxTokens: "1_000_000" }, "budget.tokens", "flag --max-tokens", 1_000_000],
    [{ maxTime: "90" }, "budget.minutes", "flag --max-time", 90],
    [{ maxTime: "90m" }, "budget.minutes", "flag --max-time", 90],
    [{ maxTime: "1h30m" }, "budget.minutes", "flag --max-time", 90],
    [{ maxTime: "8h" }, "budget.minutes", "flag --max-time", 480],
    [{ maxTime: "30s" }, "budget.minutes", "flag --max-time", 0.5],
    [{ intake: false }, "intake", "flag --no-intake", false],
  ])("%j", (flags, path, source, value) => {
    const { configuration, sources } = resolved({ flags, task: EVERYTHING_SET, project: "intake: true" });

    expect(
      path.split(".").reduce((inner: unknown, key) => (inner as Record<string, unknown>)[key], configuration),
    ).toEqual(value);
    expect(sources[path]).toBe(source);
  });
});

test("criteria and checks keep the order in which they were given", () => {
  const criteria = [
    { type: "command", command: "npm test" },
    "README explains it",
    { type: "command", command: "npm run lint" },
  ] as const;

  expect(resolved({ flags: { task: "t", criteria } }).configuration.criteria).toEqual([
    criteria[0],
    { type: "semantic", text: "README explains it" },
    criteria[2],
  ]);
});

test("what an absent flag leaves behind in an option parser sets nothing", () => {
  const { configuration } = resolved({
    flags: { intake: true, criteria: [], task: undefined, maxTime: undefined },
    task: `${MINIMAL}intake: false`,
  });

  expect(configuration).toMatchObject({ intake: false, task: "t", criteria: [{ text: "c" }] });
});

describe("a flag that cannot be used is named with its reason", () => {
  test.each<[Flags, string]>([
    [{ maxIterations: "101" }, "--max-iterations: 101 is too large: 1 to 100"],
    [{ maxIterations: "abc" }, '--max-iterations: "abc" is not a whole number: 1 to 100'],
    [{ maxIterations: "" }, '--max-iterations: "" is not a whole number: 1 to 100'],
    [{ maxCost: "0" }, "--max-cost: 0 is too small: more than 0"],
    [{ maxCost: "$5" }, '--max-cost: "$5" is not a number: more than 0'],
    [
      { maxTime: "soon" },
      '--max-time: "soon" is not a number: more than 0; minutes, or a time such as 90m, 2h or 1h30m',
    ],
    [{ maxTime: "0h" }, "--max-time: 0 is too small: more than 0; minutes, or a time such as 90m, 2h or 1h30m"],
    [
      { checkTimeout: "soon" },
      '--check-timeout: "soon" is not a number: more than 0; seconds, or a time such as 90s or 10m',
    ],
    [{ maxTokens: "lots" }, '--max-tokens: "lots" is not possible: a number of tokens, such as 500000, 500k or 1.5M'],
    [{ maxTokens: "2T" }, '--max-tokens: "2T" is not possible: a number of tokens, such as 500000, 500k or 1.5M'],
    [{ maxTokens: "1.5" }, "--max-tokens: 1.5 is not possible: a number of tokens, such as 500000, 500k or 1.5M"],
    [{ maxTokens: "0k" }, "--max-tokens: 0 is too small: a number of tokens, such as 500000, 500k or 1.5M"],
    [{ model: " " }, "--model: is empty"],
    [{ criteria: ["fine", ""] }, "--criteria/--check/--unchanged: is empty"],
    [{ criteria: [{ type: "command", command: "" }] }, "--criteria/--check/--unchanged: is empty"],
  ])("%j", (flags, message) => {
    const error = thrown(() => resolved({ flags, task: MINIMAL }));

    expect(error.code).toBe("flag_invalid");
    expect(error.message).toBe(message);
  });
});
