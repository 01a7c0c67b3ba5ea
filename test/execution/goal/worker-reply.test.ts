import { describe, expect, test } from "vitest";
import { recorded, runGoal } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";
import { failing, judged, summarized, worked } from "../../support/scripted-agent.ts";

describe("a worker's reply", () => {
  test("in plain text is an answer: the text is the output", async () => {
    const { records, files } = await runGoal({ script: { executor: [{ text: "Here are three papers." }] } });
    expect(records[0]).toMatchObject({ result: "success", metadata: { error_type: null } });
    expect(files.output).toBe("Here are three papers.");
  });

  test("[FR-025] may report its metadata alone, beside its text", async () => {
    const structured = { approach: "searched", strategy_tags: ["search"], discoveries: ["arXiv has an API"] };
    const { records, files, knowledge } = await runGoal({
      settings: { models: { intake: "m", executor: "m", summarizer: "none", judge: "m" } },
      script: { executor: [{ text: "Here are three papers.", structured }] },
    });
    expect(records[0]).toMatchObject({
      approach: "searched",
      result: "success",
      metadata: { strategy_tags: ["search"] },
    });
    expect(files.output).toBe("Here are three papers.");
    expect(knowledge.entries.map(({ content }) => content)).toEqual(["arXiv has an API"]);
  });

  test("without a word is an error", async () => {
    const { records } = await runGoal({ script: { executor: [{ text: " \n" }] }, settings: { max_iterations: 1 } });
    expect(records[0]).toMatchObject({
      result: "error",
      reason: "",
      failure: saying("ended without saying anything"),
      metadata: { error_type: "empty" },
    });
  });

  test("that calls itself an error is recorded as one", async () => {
    const script = { executor: [worked("no disk", { status: "error" })], summarizer: [summarized("the disk is full")] };
    const { records } = await runGoal({ script });
    const metadata = { error_type: "reported" };
    expect(records[0]).toMatchObject({ result: "error", reason: "the disk is full", metadata });
  });

  test("is saved whole, and what it is saved as is listed among the artifacts (US6)", async () => {
    const text = "Paper one. ".repeat(20_000);
    const { files, result } = await runGoal({ script: { executor: [worked(text)] } });
    expect(files.output).toBe(text);
    expect(result.artifacts).toEqual(["memory:2026-01-23T13-30-00/output"]);
  });
});

describe("a worker that is cut off after another one has handed in a text", () => {
  const cut = { ...failing("crashed"), text: "I will look for a fourth" };
  const script = { executor: [worked("Three papers."), cut, worked("Four papers.")], judge: [judged([false])] };

  test("does not replace that text; its own last words are kept beside it", async () => {
    const { files, records } = await runGoal({ script, settings: { max_iterations: 2 } });

    expect(files.output).toBe("Three papers.");
    expect(await files.readOutput(1)).toBe("Three papers.");
    expect(await files.readOutput(2)).toBe("I will look for a fourth");
    const [first, second] = recorded(records, "summary");
    const place = "memory:2026-01-23T13-30-00";
    expect(first).toMatchObject({ artifacts: [`${place}/output`], output_path: `${place}/outputs/1` });
    expect(second).toMatchObject({ artifacts: [], output_path: `${place}/outputs/2` });
  });

  test("leaves that text to the next worker", async () => {
    const { agent } = await runGoal({ script, settings: { max_iterations: 3, raw_output_context: 1 } });
    expect(agent.prompts("executor")[2]).toContain("handed in, in full\n\n> Three papers.");
  });

  test("and says nothing leaves no text at all", async () => {
    const executor = [worked("Three papers."), failing("crashed")];
    const { files, records } = await runGoal({ script: { ...script, executor }, settings: { max_iterations: 2 } });
    expect(files.output).toBe("Three papers.");
    expect(recorded(records, "summary")[1]).not.toHaveProperty("output_path");
  });
});

describe("knowledge [FR-020]", () => {
  test("of the summarizer and the worker's discoveries are both kept, with where they come from", async () => {
    const { knowledge } = await runGoal({
      task: "Speed it up",
      script: {
        executor: [worked("x", { discoveries: ["the cache is in /var/cache", " "] })],
        summarizer: [
          summarized("y", [
            { type: "pattern", category: "errors", content: "errors extend AppError", confidence: "high" },
          ]),
        ],
      },
    });

    const common = {
      source_task: "Speed it up",
      applied_count: 0,
      example_file: null,
      created_at: "2026-01-23T13:30:00.000Z",
    };
    expect(knowledge.entries).toEqual([
      { type: "pattern", category: "errors", content: "errors extend AppError", confidence: "high", ...common },
      {
        type: "discovery",
        category: "general",
        content: "the cache is in /var/cache",
        confidence: "medium",
        ...common,
      },
    ]);
  });

  test("that one iteration found stands in the next one's prompt [FR-021], and its use is counted", async () => {
    const { agent, knowledge } = await runGoal({
      script: {
        summarizer: [
          summarized("x", [{ type: "constraint", content: "Node 20 at least", example_file: "package.json" }]),
          summarized("y"),
        ],
        judge: [judged([false]), judged([false]), judged([true])],
      },
    });

    expect(agent.prompts("executor")[0]).not.toContain("Node 20 at least");
    expect(agent.prompts("executor")[1]).toContain(
      "- [constraint, general, medium confidence] (package.json)\n   > Node 20 at least",
    );
    const known = await knowledge.relevant("", 5);
    expect(known.map(({ content, applied_count }) => [content, applied_count])).toEqual([["Node 20 at least", 2]]);
  });

  test("that found no room in the prompt is not counted as used", async () => {
    const entries = Array.from({ length: 50 }, (_, index) => ({ content: `${index} ${"語".repeat(1000)}` }));
    const { agent, knowledge } = await runGoal({
      settings: { knowledge_context_size: 50 },
      script: { summarizer: [summarized("x", entries), summarized("y")], judge: [judged([false]), judged([true])] },
    });

    const used = knowledge.entries.filter(({ applied_count }) => applied_count === 1);
    expect(used.length).toBeLessThan(50);
    expect(used).toHaveLength(agent.prompts("executor")[1]?.match(/- \[lesson,/g)?.length ?? 0);
  });

  test("is asked for by the task's words, as many entries as configured", async () => {
    const asked: [string, number][] = [];
    await runGoal({
      task: "Speed it up",
      settings: { knowledge_context_size: 3 },
      arrange: ({ knowledge }) => {
        knowledge.relevant = async (text, size) => {
          asked.push([text, size]);
          return [];
        };
      },
    });
    expect(asked).toEqual([["Speed it up", 3]]);
  });
});
