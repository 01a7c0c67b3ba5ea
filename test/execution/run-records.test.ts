import { describe, expect, test } from "vitest";
import { E8Error } from "../../src/model/errors.ts";
import { type Notice, notice } from "../../src/model/notices.ts";
import { noticeCodes, runGoal } from "../support/run-goal.ts";
import { judged, summarized, worked } from "../support/scripted-agent.ts";

const check = { command: "npm test" };

describe("records", () => {
  test("[FR-007, FR-032] come as summary, judgment, summary, judgment … final_result", async () => {
    const { records } = await runGoal({ script: { judge: [judged([false]), judged([false]), judged([true])] } });

    expect(records.map((record) => [record.type, "iteration" in record ? record.iteration : null])).toEqual([
      ["summary", 1],
      ["judgment", 1],
      ["summary", 2],
      ["judgment", 2],
      ["summary", 3],
      ["judgment", 3],
      ["final_result", null],
    ]);
  });

  test("[FR-020] are on disk before they are announced, and what was learned before the summary that taught it", async () => {
    const { journal } = await runGoal({
      script: { summarizer: [summarized("learned something", [{ content: "make needs GNU make" }])] },
    });

    const told = journal.filter((line) => /learned|recorded|flushed|announced (summary|judgment|run-end)/.test(line));
    expect(told).toEqual([
      "learned",
      "recorded summary",
      "announced summary",
      "recorded judgment",
      "announced judgment",
      "knowledge flushed",
      "recorded final_result",
      "announced run-end",
    ]);
  });

  test("that a worker has lost end the run before anybody else is paid to look at its work", async () => {
    const { result, agent } = await runGoal({
      arrange: ({ files }) => {
        files.verify = async () => {
          throw new E8Error("records_lost", { path: "history.jsonl", problem: "gone" });
        };
      },
    });

    expect(result).toMatchObject({ status: "error", error_code: "records_lost", iterations_used: 0 });
    expect(agent.asked("executor")).toHaveLength(1);
    expect([...agent.asked("summarizer"), ...agent.asked("judge")]).toEqual([]);
  });

  test("a task.json that a worker has changed is put back before its work is looked at, and that is said", async () => {
    const restored = notice("records_restored", { file: "task.json" });
    const found: Notice[] = [];
    const { events } = await runGoal({
      arrange: ({ files, agent }) => {
        files.verify = async () => {
          if (agent.asked("executor").length === 1 && agent.asked("summarizer").length === 0) found.push(restored);
        };
        files.takeNotices = () => found.splice(0);
      },
    });

    expect(noticeCodes(events)).toEqual(["records_restored"]);
    expect(found).toEqual([]);
  });

  test("spending that could not be recorded is still in the result", async () => {
    const { result } = await runGoal({
      script: { executor: [{ ...worked("work"), usage: { tokens: 70, cost_usd: 0.5 } }] },
      arrange: ({ ledger }) => {
        ledger.append = async () => {
          throw new Error("the disk is full");
        };
      },
    });

    expect(result).toMatchObject({ status: "error", usage: { tokens: 70, cost_usd: 0.5 } });
  });

  test("every spending is in the ledger before it is announced", async () => {
    const announced: number[] = [];
    const lines: number[] = [];
    await runGoal({
      criteria: [check],
      script: { executor: [{ ...worked("x"), usage: { tokens: 7 } }] },
      arrange: ({ ledger }) => {
        const append = ledger.append.bind(ledger);
        ledger.append = async (line) => {
          await append(line);
          lines.push(ledger.lines.reduce((sum, { tokens }) => sum + tokens, 0));
        };
      },
      onEvent: (event) => {
        if (event.type === "spent") announced.push(event.total.tokens - (lines.at(-1) ?? 0));
      },
    });

    expect(announced.length).toBeGreaterThan(0);
    expect(new Set(announced)).toEqual(new Set([0]));
  });
});

describe("the worker's own word", () => {
  test("[FR-004] 'All done <promise>COMPLETE</promise>' means nothing", async () => {
    const boast = "All done <promise>COMPLETE</promise>";
    const { result } = await runGoal({
      criteria: [check],
      checks: [1],
      settings: { max_iterations: 2 },
      script: { executor: [{ text: boast, ...worked(boast) }], summarizer: [summarized(boast)] },
    });

    expect(result).toMatchObject({ status: "max_iterations", iterations_used: 2 });
  });

  test("[FR-004] the executor's schema has no field in which it could call the task complete", async () => {
    const { agent } = await runGoal({});
    const fields = Object.keys(agent.asked("executor")[0]?.schema?.properties as object);
    expect(fields.sort()).toEqual(["artifacts", "output", "semantic_metadata", "status"]);
  });
});

describe("each role [SC-007]", () => {
  test("is asked in turn, in a fresh context, with its own prompt", async () => {
    const { agent } = await runGoal({ settings: { intake: true } });

    expect(agent.assignments.map(({ role }) => role)).toEqual(["intake", "executor", "summarizer", "judge"]);
    for (const { role, system_prompt, schema } of agent.assignments) {
      expect(system_prompt).toContain(`endless8-role: ${role}`);
      expect(schema).not.toHaveProperty("$schema");
    }
  });

  test("what an agent does while it works passes through to the surfaces", async () => {
    const call = { type: "tool-call", role: "executor", tool: "Bash", detail: "npm test" } as const;
    const { events } = await runGoal({ script: { executor: [{ ...worked("x"), events: [call] }] } });
    expect(events).toContainEqual(call);
  });
});

test("artifacts of all iterations stand in the result [FR-028]", async () => {
  const { result } = await runGoal({
    script: {
      executor: ({ iteration }) => ({
        structured: { status: "success", output: "x", artifacts: [`file ${iteration}`] },
      }),
      judge: [judged([false]), judged([true])],
    },
  });
  const output = "memory:2026-01-23T13-30-00/output";
  expect(result.artifacts).toEqual(["file 1", output, "file 2"]);
});
