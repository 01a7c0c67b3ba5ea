import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  closesByItself,
  isComplete,
  iterationLimit,
  type Observation,
  observationsNeeded,
} from "../../../src/judgment/flow/completion.ts";
import { type Completion, type CompletionConfig, PRESENT } from "../../../src/model/flow/agent-file.ts";
import { saying } from "../../support/saying.ts";

const nothing: Observation = {
  iterations: 0,
  checks: 0,
  terminal: false,
  texts: [],
  answers: [],
  external: {},
  custom: {},
  criteria: {},
};
const of = (type: Completion["type"], config: CompletionConfig = {}): Completion => ({ type, config });
const all = (operator: "and" | "or" | "first", ...conditions: Completion[]) =>
  of("composite", { operator, conditions });
const done = (completion: Completion, seen: Partial<Observation>) =>
  isComplete(completion, { ...nothing, ...seen }).complete;

test("nothing is complete when nothing was observed", () => {
  const types = "stepMachine externalState keywordSignal structuredSignal custom criteria composite".split(" ");
  for (const type of types as Completion["type"][]) expect(done(of(type), {})).toBe(false);
});

test("stepMachine is complete on the closing signal", () => {
  expect(done(of("stepMachine"), { terminal: true })).toBe(true);
});

test("[C33] iterationBudget 3 is complete after exactly 3", () => {
  const budget = of("iterationBudget", { maxIterations: 3 });
  expect([1, 2, 3, 4].map((iterations) => done(budget, { iterations }))).toEqual([false, false, true, true]);
});

test("checkBudget is complete after that many looks, and never without a number", () => {
  expect(done(of("checkBudget", { maxChecks: 2 }), { checks: 1 })).toBe(false);
  expect(done(of("checkBudget", { maxChecks: 2 }), { checks: 2 })).toBe(true);
  expect(done(of("checkBudget"), { checks: 1000 })).toBe(false);
});

test("keywordSignal is complete when any text contains the keyword, exactly", () => {
  const keyword = of("keywordSignal", { completionKeyword: "ALL DONE" });
  expect(done(keyword, { texts: ["working", "… ALL DONE."] })).toBe(true);
  expect(done(keyword, { texts: ["all done"] })).toBe(false);
  expect(done(of("keywordSignal", { completionKeyword: "" }), { texts: ["x"] })).toBe(false);
  expect(done(of("keywordSignal"), { texts: ["TASK_COMPLETE"] })).toBe(false);
});

describe("structuredSignal", () => {
  const signal = (requiredFields?: Record<string, unknown>) =>
    of("structuredSignal", { signalType: "task-complete", ...(requiredFields && { requiredFields }) });

  const given = ({ outputs = [], texts = [] }: { outputs?: readonly unknown[]; texts?: readonly string[] }) => ({
    answers: [...outputs.map((output) => ({ output, text: "" })), ...texts.map((text) => ({ output: null, text }))],
  });

  test.each([
    { outputs: [{ signal: "task-complete" }] },
    { outputs: [{ type: "task-complete" }] },
    { outputs: [{ "task-complete": {} }] },
    { outputs: [{ x: 1 }, { type: "task-complete" }] },
    { texts: ['Here:\n```task-complete\n{"result": "complete"}\n```\n'] },
  ])("is there: %j", (seen) => {
    expect(done(signal(), given(seen))).toBe(true);
  });

  test.each([
    { outputs: [{ status: "completed" }] },
    { outputs: [{ result: "complete" }] },
    { outputs: [{ signal: "Task-Complete" }] },
    { outputs: ["task-complete"] },
    { outputs: [null] },
    { texts: ["task-complete"] },
    { texts: ["```task-complete\nnot json\n```"] },
    { texts: ['```json\n{"signal": "x"}\n```'] },
  ])("is not there: %j", (seen) => {
    expect(done(signal(), given(seen))).toBe(false);
  });

  test("[1] required fields must be equal, deeply, whatever the order of their members", () => {
    const wanted = signal({ result: "ok", detail: { a: 1, b: [true, null] }, "nested.x": 2 });
    const output = { type: "task-complete", result: "ok", detail: { b: [true, null], a: 1 }, nested: { x: 2 } };
    expect(done(wanted, given({ outputs: [output] }))).toBe(true);
    expect(done(wanted, given({ outputs: [{ ...output, detail: { a: 1, b: [true] } }] }))).toBe(false);
    expect(done(wanted, given({ outputs: [{ ...output, detail: { a: 1, b: [true, null], c: 1 } }] }))).toBe(false);
    expect(done(wanted, given({ outputs: [{ ...output, nested: { x: "2" } }] }))).toBe(false);
  });

  test("[2] required fields without a value need only be present", () => {
    const wanted = signal({ summary: PRESENT });
    expect(done(wanted, given({ outputs: [{ type: "task-complete", summary: "" }] }))).toBe(true);
    expect(done(wanted, given({ outputs: [{ type: "task-complete", summary: null }] }))).toBe(false);
    expect(done(wanted, given({ outputs: [{ type: "task-complete" }] }))).toBe(false);
  });

  test("fields of one output do not complete the signal of another", () => {
    const outputs = [{ type: "task-complete" }, { result: "ok" }];
    expect(done(signal({ result: "ok" }), given({ outputs }))).toBe(false);
  });
});

describe("externalState", () => {
  const state = (config: CompletionConfig, read: string) => {
    const completion = of("externalState", config);
    const [need] = observationsNeeded(completion).external;
    return done(completion, { external: { [need?.key ?? ""]: { state: read, name: "it" } } });
  };

  test.each<[CompletionConfig, string, boolean]>([
    [{}, "CLOSED", true],
    [{}, "closed", true],
    [{}, "OPEN", false],
    [{ resourceType: "issue" }, "Closed", true],
    [{ resourceType: "issue", targetState: "closed" }, "CLOSED", true],
    [{ resourceType: "pr" }, "MERGED", true],
    [{ resourceType: "pr" }, "CLOSED", false],
    [{ resourceType: "pr" }, "merged", true],
    [{ resourceType: "pr", targetState: "closed" }, "MERGED", true],
    [{ resourceType: "pr", targetState: "closed" }, "CLOSED", true],
    [{ resourceType: "file" }, "EXISTS", true],
    [{ resourceType: "file" }, "MISSING", false],
    [{ resourceType: "file", targetState: "missing" }, "MISSING", true],
    [{ resourceType: "command" }, "PASSED", true],
    [{ resourceType: "command" }, "FAILED", false],
    [{ resourceType: "command", targetState: "success" }, "PASSED", true],
  ])("%j with %s: %s", (config, read, expected) => {
    expect(state(config, read)).toBe(expected);
  });

  test("a state that was not read is not the target", () => {
    expect(isComplete(of("externalState"), nothing)).toMatchObject({
      complete: false,
      reasons: [saying("was not read")],
    });
  });
});

test("custom and criteria are complete when their own answer says so", () => {
  const both = all("and", of("custom", { handlerPath: "h.mjs" }), of("criteria", { criteria: ["green"] }));
  const { custom, criteria } = observationsNeeded(both);
  const seen = { custom: { [custom[0]?.key ?? ""]: true }, criteria: { [criteria[0]?.key ?? ""]: true } };
  expect(done(both, seen)).toBe(true);
  expect(done(both, { ...seen, custom: {} })).toBe(false);
});

test("observations are needed for nested conditions, too, and each only once", () => {
  const issue = of("externalState", { resourceType: "issue" });
  const file = (path: string) => of("externalState", { resourceType: "file", path });
  const nested = all("or", issue, all("and", file("a"), file("b"), issue, of("custom", { handlerPath: "h.mjs" })));
  const needed = observationsNeeded(nested);
  expect(needed.external.map(({ config }) => config.path ?? config.resourceType)).toEqual(["issue", "a", "b"]);
  expect(needed.custom.map(({ config }) => config.handlerPath)).toEqual(["h.mjs"]);
  expect(needed.criteria).toEqual([]);
});

describe("[C32] composites end as their truth tables say", () => {
  const signal = of("structuredSignal", { signalType: "ok" });
  const budget = of("checkBudget", { maxChecks: 2 });
  const seen = (hasSignal: boolean, isSpent: boolean) => ({
    answers: hasSignal ? [{ output: { type: "ok" }, text: "" }] : [],
    checks: isSpent ? 2 : 1,
  });
  const rows = [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const;
  const table = (completion: Completion) => rows.map(([a, b]) => done(completion, seen(a, b)));

  test("and: every one", () => expect(table(all("and", signal, budget))).toEqual([false, false, false, true]));
  test("or: any", () => expect(table(all("or", signal, budget))).toEqual([false, true, true, true]));
  test("first: the first that holds decides, in the order written", () => {
    expect(table(all("first", signal, budget))).toEqual([false, true, true, true]);
    const why = (completion: Completion) => isComplete(completion, { ...nothing, ...seen(true, true) }).reasons;
    expect(why(all("first", signal, budget))).toEqual(why(signal));
    expect(why(all("first", budget, signal))).toEqual(why(budget));
  });

  test("nested: signal and (spent or closing)", () => {
    const nested = all("and", signal, all("or", budget, of("stepMachine")));
    expect(table(nested)).toEqual([false, false, false, true]);
    expect(done(nested, { ...seen(true, false), terminal: true })).toBe(true);
    expect(done(nested, { ...seen(false, true), terminal: true })).toBe(false);
  });

  test("a composite without conditions is never complete", () => {
    for (const operator of ["and", "or", "first"] as const) expect(done(all(operator), {})).toBe(false);
  });

  test("an incomplete one says what is missing", () => {
    const { reasons } = isComplete(all("and", signal, budget), { ...nothing, ...seen(true, false) });
    expect(reasons).toEqual([saying("1 of 2 checks done")]);
  });

  test("any nesting of them agrees with its logic", () => {
    const leaf = fc.boolean().map((value) => ({
      completion: of("iterationBudget", { maxIterations: value ? 1 : 2 }),
      value,
    }));
    const { tree } = fc.letrec<{ tree: { completion: Completion; value: boolean } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc
          .tuple(fc.constantFrom("and", "or", "first"), fc.array(tie("tree"), { minLength: 1, maxLength: 3 }))
          .map(([operator, parts]) => ({
            completion: all(operator, ...parts.map(({ completion }) => completion)),
            value: operator === "and" ? parts.every((part) => part.value) : parts.some((part) => part.value),
          })),
      ),
    }));
    fc.assert(fc.property(tree, ({ completion, value }) => done(completion, { iterations: 1 }) === value));
  });
});

describe("budgets and the iteration limit", () => {
  const signal = of("structuredSignal", { signalType: "ok" });
  const three = of("iterationBudget", { maxIterations: 3 });

  test("[C33] a budget closes by itself; everything else waits for its signal", () => {
    const spent = { iterations: 3, checks: 3 };
    expect(closesByItself(three, spent)).toBe(true);
    expect(closesByItself(three, { iterations: 2, checks: 3 })).toBe(false);
    expect(closesByItself(all("first", signal, three), spent)).toBe(true);
    expect(closesByItself(all("and", signal, three), spent)).toBe(false);
    for (const type of ["stepMachine", "keywordSignal", "custom", "criteria", "externalState"] as const) {
      expect(closesByItself(of(type), { iterations: 99, checks: 99 })).toBe(false);
    }
  });

  test("the limit is the one stated, or the default, but never less than a nested budget needs", () => {
    expect(iterationLimit(three, 10)).toBe(3);
    expect(iterationLimit(of("stepMachine"), 10)).toBe(10);
    expect(iterationLimit(of("stepMachine", { maxIterations: 5 }), 10)).toBe(5);
    expect(iterationLimit(of("checkBudget", { maxChecks: 12 }), 10)).toBe(12);
    expect(iterationLimit(all("first", signal, of("iterationBudget", { maxIterations: 30 })), 10)).toBe(30);
    expect(iterationLimit(all("first", signal, three), 10)).toBe(10);
  });
});
