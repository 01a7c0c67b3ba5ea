import { describe, expect, test } from "vitest";
import { readGate } from "../../../src/judgment/flow/gate.ts";
import { intentsOf } from "../../../src/model/flow/steps-registry.ts";
import { saying } from "../../support/saying.ts";
import { gate } from "./definitions.ts";

const asks = (action: unknown, more: object = {}) => ({ next_action: { action, ...more } });

test("an allowed intent is taken as it is", () => {
  expect(readGate(gate(), asks("repeat"))).toEqual({ intent: "repeat", deviations: [] });
});

describe("[C16] values are exact", () => {
  test.each(["Next", "NEXT", " next", "next ", "continue", "done", "completed", "handoff", 1, true, ["next"], {}])(
    "%j is not next",
    (action) => {
      const read = readGate(gate({ allowedIntents: ["next"] }), asks(action));
      expect(read).toEqual({ problem: saying("Allowed: next.") });
    },
  );
});

describe("[C17] a missing intent", () => {
  test.each([{}, asks(undefined), asks(null), asks(""), { next_action: "next" }, null, "next", [], undefined])(
    "stops: %j",
    (output) => {
      expect(readGate(gate(), output)).toEqual({ problem: saying("no intent at next_action.action") });
    },
  );

  test("goes on with the fallback when failing fast is off, and that is noted", () => {
    const lenient = gate({ failFast: false, fallbackIntent: "repeat" });
    const read = readGate(lenient, {});
    expect(read).toMatchObject({ intent: "repeat", deviations: [saying("fallback repeat")] });
    expect(readGate(lenient, asks("Done"))).toMatchObject({ intent: "repeat", deviations: [saying("Done")] });
  });

  test("stops all the same without a fallback, or when failing fast is on", () => {
    expect(readGate(gate({ failFast: false }), {})).toHaveProperty("problem");
    expect(readGate(gate({ failFast: true, fallbackIntent: "repeat" }), {})).toHaveProperty("problem");
  });

  test("never becomes a completion signal, whatever the fallback says", () => {
    const closure = gate({ allowedIntents: ["closing", "repeat"], failFast: false, fallbackIntent: "closing" });
    expect(readGate(closure, {})).toEqual({ problem: saying("closing cannot be taken") });
  });

  test("never becomes an intent that is not allowed", () => {
    expect(readGate(gate({ failFast: false, fallbackIntent: "jump" }), {})).toHaveProperty("problem");
  });
});

test("[C21] a status of completed beside next means next", () => {
  expect(readGate(gate(), { status: "completed", ...asks("next") })).toEqual({ intent: "next", deviations: [] });
});

test("inherited properties do not count as an intent", () => {
  const output = { next_action: Object.create({ action: "next" }) };
  expect(readGate(gate(), output)).toHaveProperty("problem");
  expect(readGate(gate({ intentField: "constructor.name" }), {})).toHaveProperty("problem");
});

test("the target field is read for a jump, and only for a jump", () => {
  const jumping = gate({ allowedIntents: intentsOf.work, targetField: "next_action.target" });
  expect(readGate(jumping, asks("jump", { target: "s.x" }))).toEqual({ intent: "jump", target: "s.x", deviations: [] });
  expect(readGate(jumping, asks("next", { target: "s.x" }))).toEqual({ intent: "next", deviations: [] });
  expect(readGate(jumping, asks("jump", { target: 5 }))).toEqual({ intent: "jump", deviations: [] });
  expect(readGate(jumping, asks("jump"))).toEqual({ intent: "jump", deviations: [] });
});
