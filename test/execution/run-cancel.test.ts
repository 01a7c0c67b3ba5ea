import { describe, expect, test } from "vitest";
import { type GoalOptions, recorded, resume, runGoal } from "../support/run-goal.ts";
import { accepted, failing, judged, unclear, worked } from "../support/scripted-agent.ts";

/** Two iterations with every phase in them. */
const options: GoalOptions = {
  criteria: ["It works", { command: "npm test" }],
  settings: { intake: true },
  script: {
    intake: [accepted("Make it work", ["It works"])],
    judge: ({ iteration }) => judged([iteration === 2]),
    executor: ({ iteration }) => worked(`work ${iteration}`),
  },
};

describe("cancelling", () => {
  test("at any event ends the run as cancelled, starts nothing more, and leaves a task that resume completes", async () => {
    const whole = await runGoal(options);
    const lastWork = whole.events.findLastIndex(({ type }) => type === "judgment");
    for (let at = 0; at < lastWork; at++) {
      const { run, startedAfter } = await cancelledAtEvent(at);
      expect(run.result, `cancelled at event ${at}`).toMatchObject({ status: "cancelled", stop_reason: "cancelled" });
      expect(recorded(run.records, "final_result")).toEqual([run.result]);
      expect(run.records.at(-1)).toEqual(run.result);
      expect(startedAfter).toBe(0);
      const resumed = await resume(run, options);
      expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
      expect(recorded(resumed.records, "summary").map(({ iteration }) => iteration)).toEqual([1, 2]);
      expect(recorded(resumed.records, "judgment").map(({ iteration }) => iteration)).toEqual([1, 2]);
    }
  });

  test.each(["intake", "executor", "summarizer", "judge"] as const)("while the %s works", async (role) => {
    const cancel = new AbortController();
    const during = () => cancel.abort();
    const script = { ...options.script, [role]: [{ text: "cut short", during, usage: { tokens: 9 } }] };
    const { result, agent } = await runGoal({ ...options, script, cancel });

    expect(result.status).toBe("cancelled");
    expect(result.usage.tokens).toBe(9);
    expect(agent.assignments.at(-1)?.role).toBe(role);
  });

  test("while a check runs", async () => {
    const cancel = new AbortController();
    const { result, agent } = await runGoal({
      ...options,
      cancel,
      checks: [{ exit_code: null, signal: "SIGTERM" }],
      arrange: ({ commands }) => {
        commands.onRun = () => cancel.abort();
      },
    });

    expect(result).toMatchObject({ status: "cancelled", final_judgment: null, iterations_used: 1 });
    expect(agent.asked("judge")).toEqual([]);
  });

  test("while waiting for the model", async () => {
    const cancel = new AbortController();
    const { result, clock } = await runGoal({
      cancel,
      script: { executor: [failing("overloaded")] },
      arrange: (world) => {
        world.clock.onSleep = () => cancel.abort();
      },
    });

    expect(result.status).toBe("cancelled");
    expect(clock.sleeps).toHaveLength(1);
  });

  test("while waiting longer than the time budget lasts is still a cancellation", async () => {
    const cancel = new AbortController();
    const { result } = await runGoal({
      cancel,
      settings: { budget: { minutes: 1 } },
      script: { executor: [failing("usage_limit", "until tomorrow", Date.UTC(2026, 0, 24))] },
      arrange: ({ clock }) => {
        clock.onSleep = () => cancel.abort();
      },
    });

    expect(result).toMatchObject({ status: "cancelled", error_code: null });
  });

  test("is no error, even where a part of the outside answers it with one", async () => {
    const cancel = new AbortController();
    const during = () => {
      cancel.abort();
      throw new Error("This operation was aborted");
    };
    const { result } = await runGoal({ cancel, script: { executor: [{ during }] } });

    expect(result).toMatchObject({ status: "cancelled", error_code: null });
  });

  test("while the user is asked", async () => {
    const cancel = new AbortController();
    const ask = async () => {
      cancel.abort();
      return undefined;
    };
    const { result } = await runGoal({ ...options, cancel, ask, script: { intake: [unclear("How fast?")] } });

    expect(result.status).toBe("cancelled");
  });

  test("before the run begins: no agent is started at all", async () => {
    const cancel = new AbortController();
    cancel.abort();
    const { result, agent, commands } = await runGoal({ ...options, cancel });

    expect(result.status).toBe("cancelled");
    expect(agent.assignments).toEqual([]);
    expect(commands.requests).toEqual([]);
  });

  test("after the last judgment changes nothing: what is complete is complete", async () => {
    const cancel = new AbortController();
    const { result } = await runGoal({
      ...options,
      cancel,
      onEvent: (event) => {
        if (event.type === "judgment" && event.judgment.is_complete) cancel.abort();
      },
    });

    expect(result.status).toBe("completed");
  });
});

async function cancelledAtEvent(at: number) {
  const cancel = new AbortController();
  let seen = 0;
  let started = () => 0;
  let before = 0;
  const run = await runGoal({
    ...options,
    cancel,
    arrange: ({ agent, commands }) => {
      started = () => agent.assignments.length + commands.requests.length;
    },
    onEvent: () => {
      if (seen++ !== at) return;
      before = started();
      cancel.abort();
    },
  });
  return { run, startedAfter: started() - before };
}
