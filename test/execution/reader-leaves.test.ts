import { expect, test } from "vitest";
import { beginFlow, gated } from "../support/run-flow.ts";
import { beginGoal, type GoalOptions, type World } from "../support/run-goal.ts";

const STEPS = { "initial.task": gated("work", { closing: null }) };

test.each([
  ["a task", (options: GoalOptions) => beginGoal(options)],
  ["an agent made of steps", (options: GoalOptions) => beginFlow({ ...options, steps: STEPS })],
])("when nobody reads the events of %s any more, the agent at work is ended", async (_, begin) => {
  let isAtWork = false;
  const arrange = ({ agent }: World) => {
    agent.work = async function* ({ role }) {
      isAtWork = true;
      try {
        for (;;) yield { type: "text", role, text: "still at it" };
      } finally {
        isAtWork = false;
      }
    };
  };

  const { stream } = await begin({ arrange });
  for await (const { type } of stream) if (type === "text") break;

  expect(isAtWork).toBe(false);
});
