import { expect, test } from "vitest";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";

const steps = {
  "initial.task": gated("work", { handoff: "closure.task" }, { handoffFields: ["release_notes"] }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const script: NonNullable<FlowOptions["script"]> = {
  executor: ({ step_id }) =>
    step_id === "closure.task" ? says("closing") : says("handoff", { release_notes: "All of it." }),
};
const github: FlowOptions["github"] = {
  enabled: true,
  defaultClosureAction: "release",
  labels: { add: ["released"], remove: [] },
};

test("after the closing intent, the release is published with the user's tag and the notes that a step handed on", async () => {
  const { result, tracker, records } = await runFlow({ steps, script, github, parameters: { tag: "v1.2.0" } });

  expect(result.status).toBe("completed");
  expect(tracker.diary).toEqual(["release v1.2.0: All of it."]);
  expect(recorded(records, "effect").map(({ key, stage }) => `${key} ${stage}`)).toEqual([
    "release/v1.2.0 begun",
    "release/v1.2.0 done",
  ]);
});

test("with an issue, it is labelled and closed after the release", async () => {
  const { tracker } = await runFlow({ steps, script, github, parameters: { version: "2.0", issue: 7 } });

  expect(tracker.diary).toEqual(["release 2.0: All of it.", "label 7 +released -", "close issue 7"]);
});

test("without a tag, the run ends before anything is spent", async () => {
  const { result, tracker } = await runFlow({ steps, script, github, parameters: {} });

  expect(result).toMatchObject({ status: "error", iterations_used: 0, error_code: "parameter_invalid" });
  expect(tracker.diary).toEqual([]);
});

test("a release that cannot be published fails the run, and the issue stays open", async () => {
  const tracker = new MemoryTracker();
  tracker.fails = true;
  const { result } = await runFlow({ steps, script, github, tracker, parameters: { tag: "v1", issue: 7 } });

  expect(result).toMatchObject({ status: "error", error_code: "flow_failed" });
  expect(tracker.diary).toEqual([]);
});

test("no other closure action publishes anything", async () => {
  const closing = { ...github, defaultClosureAction: "close" } as const;
  const { tracker } = await runFlow({ steps, script, github: closing, parameters: { tag: "v1", issue: 7 } });

  expect(tracker.diary).toEqual(["close issue 7"]);
});
