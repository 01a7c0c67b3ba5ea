import { describe, expect, test } from "vitest";
import type { Flags } from "../../../src/configuration/task/flags.ts";
import { changed, MINIMAL, resolved, thrown } from "./support.ts";

const EVERYTHING_SET = `task: file's task
criteria: file's criterion
max_iterations: 3
intake: true
budget: {cost_usd: 1, tokens: 1, minutes: 1}
`;

describe("every flag beats both files, and says so", () => {
  test.each<[Flags, string, string, unknown]>([
    [{ task: "mine" }, "task", "command line", "mine"],
    [
      { criteria: ["mine"], only: true },
      "criteria",
      "flag --criteria/--check/--unchanged",
      [{ type: "semantic", text: "mine" }],
    ],
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

describe("--allow-tool adds to the tools", () => {
  const flags = { allowTool: ["WebSearch", "Read"] };
  const toolsOf = (given: Parameters<typeof resolved>[0]) => {
    const { configuration, sources } = resolved(given);
    return [configuration.claude_options.allowed_tools, sources["claude_options.allowed_tools"]];
  };

  test("of the defaults", () => {
    const tools = ["Read", "Edit", "Write", "Bash", "WebSearch"];
    expect(toolsOf({ flags, task: MINIMAL })).toEqual([tools, "default, flag --allow-tool"]);
  });

  test("of a file", () => {
    const task = `${MINIMAL}claude_options: {allowed_tools: [Read]}`;
    const [tools, source] = toolsOf({ flags, task });
    expect(tools).toEqual(["Read", "WebSearch"]);
    expect(source).toMatch(/^task\.yaml:\d+, flag --allow-tool$/);
  });

  test("of a task that is resumed", () => {
    const before = resolved({ task: MINIMAL }).configuration;
    const after = changed(before, flags);
    expect(after.claude_options.allowed_tools).toEqual(["Read", "Edit", "Write", "Bash", "WebSearch"]);
    expect(changed(after, { allowTool: [] })).toEqual(after);
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

describe("criteria of the command line", () => {
  const task = "task: t\ncriteria: [first, {type: command, command: npm test}]\n";
  const first = { type: "semantic", text: "first" };
  const check = { type: "command", command: "npm test" } as const;
  const mine = { type: "semantic", text: "mine" };

  test("are added to those of the task file, which is said; each is counted once and has its source", () => {
    const { configuration, sources, notices } = resolved({ task, flags: { criteria: ["mine", check] } });

    expect(configuration.criteria).toEqual([first, check, mine]);
    expect(notices).toEqual([{ code: "criteria_added", params: { file: "task.yaml", count: 2, added: 1 } }]);
    expect([sources.criteria, sources["criteria[2]"]]).toEqual(["task.yaml:2", "flag --criteria/--check/--unchanged"]);
  });

  test("replace them with --only, which is said, too", () => {
    const { configuration, notices } = resolved({ task, flags: { criteria: ["mine"], only: true } });

    expect(configuration.criteria).toEqual([mine]);
    expect(notices).toEqual([{ code: "criteria_replaced", params: { file: "task.yaml", count: 2 } }]);
  });

  test("without a task file need no word", () => {
    expect(resolved({ flags: { task: "t", criteria: ["mine"], only: true } })).toMatchObject({ notices: [] });
    expect(resolved({ task }).notices).toEqual([]);
  });

  test("cannot be left out with --only", () => {
    expect(thrown(() => resolved({ task, flags: { only: true } })).code).toBe("flag_invalid");
  });
});

describe("--until", () => {
  const until = (value: string) =>
    new Date(resolved({ task: MINIMAL, flags: { until: value } }).configuration.until ?? "");

  test("takes a time of day, which is the next one", () => {
    const moment = until("07:05");
    expect([moment.getHours(), moment.getMinutes(), moment.getSeconds()]).toEqual([7, 5, 0]);
    const hours = (moment.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(0);
    expect(hours).toBeLessThanOrEqual(25); // a day of a time zone may have an hour more
  });

  test("takes a date and a time, with and without a zone", () => {
    expect(until("2126-01-24T07:00:00Z").toISOString()).toBe("2126-01-24T07:00:00.000Z");
    expect(until("2126-01-24T07:00+09:00").toISOString()).toBe("2126-01-23T22:00:00.000Z");
    expect(until("2126-01-24 07:00")).toEqual(new Date(2126, 0, 24, 7));
  });

  test.each(["7", "24:00", "soon", "2126-13-01T00:00", "tomorrow 07:00", ""])("refuses %j", (value) => {
    expect(thrown(() => until(value)).code).toBe("flag_invalid");
  });

  test("refuses a time that has passed, in a task file as well", () => {
    expect(thrown(() => until("2020-01-01T00:00Z")).message).toBe("The deadline 2020-01-01T00:00Z has already passed.");
    expect(thrown(() => resolved({ task: `${MINIMAL}until: 2020-01-01 00:00` })).code).toBe("deadline_past");
  });

  test("changes the deadline of a task that is resumed; without it the old one stays, passed or not", () => {
    const passed = { ...resolved({ task: MINIMAL }).configuration, until: "2020-01-01T00:00:00.000Z" };
    expect(changed(passed, { maxIterations: 20 }).until).toBe("2020-01-01T00:00:00.000Z");
    expect(changed(passed, { until: "2126-01-24T07:00Z" }).until).toBe("2126-01-24T07:00:00.000Z");
  });
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
    [{ maxIterations: "1001" }, "--max-iterations: 1001 is too large: 1 to 1000"],
    [{ maxIterations: "abc" }, '--max-iterations: "abc" is not a whole number: 1 to 1000'],
    [{ maxIterations: "" }, '--max-iterations: "" is not a whole number: 1 to 1000'],
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
    [{ allowTool: ["WebSearch", " "] }, "--allow-tool: is empty"],
    [{ criteria: ["fine", ""] }, "--criteria/--check/--unchanged: is empty"],
    [{ criteria: [{ type: "command", command: "" }] }, "--criteria/--check/--unchanged: is empty"],
  ])("%j", (flags, message) => {
    const error = thrown(() => resolved({ flags, task: MINIMAL }));

    expect(error.code).toBe("flag_invalid");
    expect(error.message).toBe(message);
  });
});
