import { expect, test } from "vitest";
import { FlowPosition } from "../../src/model/flow/position.ts";

test("a position that an older version has recorded is read", () => {
  const old = { step_id: "initial.x", intent: null, next_step: "initial.x", handoff: {}, attempts: {} };
  expect(FlowPosition.parse({ ...old, retry_prompt: "why" })).toMatchObject({
    retry_prompt: "why",
    last_failure: null,
  });
});
