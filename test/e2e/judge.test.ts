import { describe, expect, test } from "vitest";
import { scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickScripted } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";
import { always, judges, summarizes, works } from "../support/stories.ts";

describe("a judge that cannot be trusted", () => {
  const work = [always(works("did it")), always(summarizes("did it"))];
  const criteria = ["-c", "the first thing is done", "-c", "the second thing is done"];
  const run = ["run", "Do two things", ...criteria, "--no-intake", "-n", "1", "--json"];

  test.each([
    [
      "contradicts itself",
      judges(true, [
        { id: 1, is_met: true },
        { id: 2, is_met: false },
      ]),
    ],
    ["skips a criterion", judges(true, [{ id: 1, is_met: true }])],
    [
      "says the same criterion twice and skips the other",
      judges(true, [
        { id: 1, is_met: true },
        { id: 1, is_met: true },
      ]),
    ],
    [
      "calls all met but not complete",
      judges(false, [
        { id: 1, is_met: true },
        { id: 2, is_met: true },
      ]),
    ],
    [
      "gives no evidence",
      judges(true, [
        { id: 1, is_met: true, evidence: "" },
        { id: 2, is_met: true, evidence: " " },
      ]),
    ],
    ["returns nothing", scene("judge", { say: "It looks good to me." }, { say: "All done." })],
    ["returns an empty list", judges(true, [])],
  ])("one that %s never completes a task", async (_, judge) => {
    const box = await quickScripted(story(...work, always(judge)));

    const ended = await box.e8(run);

    expect(ended.code, ended.stderr).toBe(1);
    expect(resultOf(ended)).toMatchObject({ status: "max_iterations", final_judgment: { is_complete: false } });
  });

  test("paraphrased and re-ordered criteria change nothing", async () => {
    const words = [
      { id: 2, criterion: "Thing number two has been finished", is_met: true },
      { id: 1, criterion: "一つ目は終わった", is_met: true },
    ];
    const box = await quickScripted(story(...work, judges(true, words)));

    expect(resultOf(await box.e8(run))).toMatchObject({ status: "completed", iterations_used: 1 });
  });
});
