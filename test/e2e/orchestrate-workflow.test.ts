import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AgentSketch, commitAll, says, writeAgent } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import type { Sandbox } from "../support/sandbox.ts";

const WORKFLOW = {
  version: "1.0.0",
  phases: {
    impl: { type: "actionable", priority: 2, agent: "builder" },
    review: { type: "actionable", priority: 1, agent: "reviewer" },
    done: { type: "terminal" },
    blocked: { type: "blocking" },
  },
  labelMapping: { ready: "impl", review: "review", done: "done", blocked: "blocked" },
  agents: {
    builder: { role: "transformer", outputPhase: "review", fallbackPhase: "blocked" },
    reviewer: {
      role: "validator",
      outputPhases: { approved: "done", rejected: "impl" },
      fallbackPhase: "blocked",
      closeOnComplete: true,
      closeCondition: "approved",
    },
  },
  rules: { maxCycles: 5, cycleDelayMs: 0 },
  handoff: { commentTemplates: { reviewerRejected: "Not yet: {reason}" } },
};

/** One step by a program. It prints what the agent says; `$n` is the issue. */
function agent(script: string): AgentSketch {
  const runner = {
    command: "sh",
    args: ["-c", `n=$(git branch --show-current | grep -o "[0-9]*$"); ${script}`],
    timeout: 30_000,
  };
  return {
    parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
    steps: [
      {
        id: "closure.task",
        go: { closing: null, repeat: "closure.task" },
        properties: { outcome: { type: "string" }, reason: { type: "string" } },
        prompt: "Look after issue {uv-issue}\n",
        more: { runner },
      },
    ],
    registry: {
      validators: { checked: { type: "command", command: "test -e a.txt" } },
      completionSteps: {
        "closure.task": {
          ...{ stepId: "closure.task", name: "Done?", c2: "retry", c3: "task" },
          completionConditions: [{ validator: "checked" }],
        },
      },
    },
  };
}

function printing(output: Record<string, unknown>): string {
  return `echo '${JSON.stringify(output)}'`;
}

const BUILDER = `echo "$n" >> "built-$n.txt"; ${printing(says("closing"))}`;
const APPROVES = printing(says("closing", { outcome: "approved", reason: "good" }));
const REJECTS = printing(says("closing", { outcome: "rejected", reason: "no tests" }));

interface Setup {
  builder?: string;
  reviewer?: string;
  workflow?: object;
  labels?: Record<number, string[]>;
}

async function workflowBox({ builder = BUILDER, reviewer = APPROVES, workflow = {}, labels }: Setup): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await writeAgent(box, agent(builder), "builder");
  await writeAgent(box, agent(reviewer), "reviewer");
  await box.write(".agent/workflow.json", JSON.stringify({ ...WORKFLOW, ...workflow }));
  await box.write("a.txt", "one\n");
  await commitAll(box);
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");
  for (const [number, names] of Object.entries(labels ?? { 1: ["ready"] }))
    await write(box.project, {
      [`.e8/issues/${number}.md`]: `---\ntitle: Issue ${number}\nlabels: [${names.join(", ")}]\ncreated_at: 2026-01-0${number}T00:00:00Z\n---\nPlease.\n`,
    });
  return box;
}

const RUN = ["orchestrate", "--base", "main", "--json"];

async function issueText(box: Sandbox, number: number): Promise<string> {
  return readFile(join(box.project, `.e8/issues/${number}.md`), "utf8");
}

async function labelsOf(box: Sandbox, number: number): Promise<string> {
  const shown = JSON.parse((await box.e8(["issues", "show", String(number), "--json"])).stdout);
  return shown.labels.join(",");
}

async function turns(box: Sandbox): Promise<string[]> {
  const records = (await readFile(join(box.project, ".e8/backlog/queue.jsonl"), "utf8")).trim().split("\n");
  const ended = records.map((line) => JSON.parse(line)).filter(({ type }) => type === "ended");
  return ended.map(({ issue, outcome, to }) => `${issue} ${outcome} → ${to}`);
}

describe("e8 orchestrate with a workflow.json", () => {
  test("label → phase → agent → next label, until the issue is approved, merged and closed", async () => {
    const box = await workflowBox({});

    const ended = await box.e8(RUN);

    expect(JSON.parse(ended.stdout).items).toMatchObject([{ issue: 1, state: "done" }]);
    expect(await turns(box)).toEqual(["1 success → review", "1 approved → done"]);
    expect(await issueText(box, 1)).toContain("state: CLOSED");
    expect(await labelsOf(box, 1)).toBe("done");
    expect(await git(box.project, "show", "main:built-1.txt")).toBe("1\n");
    expect(await git(box.project, "branch", "--list", "feature/*")).toBe("");
    expect(ended.code).toBe(0);
  });

  test("rejected goes back to the implementation, with the comment of the template", async () => {
    const once = `if test -e ~/.cache/seen; then ${APPROVES}; else touch ~/.cache/seen; ${REJECTS}; fi`;
    const box = await workflowBox({ reviewer: once });
    await write(box.home, { ".cache/used": "" });

    await box.e8(RUN);

    expect(await turns(box)).toEqual([
      ...["1 success → review", "1 rejected → impl", "1 success → review", "1 approved → done"],
    ]);
    const shown = JSON.parse((await box.e8(["issues", "show", "1", "--json"])).stdout);
    expect(shown.comments.map(({ body }: { body: string }) => body)).toEqual(["Not yet: no tests"]);
  });

  test("the fifth cycle is blocked, and a person has to look", async () => {
    const box = await workflowBox({ reviewer: REJECTS });

    const ended = await box.e8(RUN);

    expect((await turns(box)).length).toBe(5);
    expect(await labelsOf(box, 1)).toBe("blocked");
    expect(JSON.parse(ended.stdout).items).toMatchObject([{ state: "parked", problem: { code: "issue_in_circles" } }]);
    expect(ended.code).toBe(1);
  });

  test("issues without a label of the workflow, or with a resting one, are left alone", async () => {
    const box = await workflowBox({ labels: { 1: ["question"], 2: ["done"], 3: ["blocked", "ready"] } });

    const ended = await box.e8(RUN);

    expect(JSON.parse(ended.stdout).items).toEqual([]);
    expect(await box.tasks()).toEqual([]);
    expect(await labelsOf(box, 3)).toBe("blocked,ready");
  });

  test("a failed agent leads to the fallback phase", async () => {
    const box = await workflowBox({ builder: "echo broken >&2; exit 1" });

    await box.e8([...RUN, "-n", "1"]);

    expect(await labelsOf(box, 1)).toBe("blocked");
    expect(await git(box.project, "ls-tree", "--name-only", "main")).not.toContain("built-1.txt");
  });

  test("other outcomes of closeCondition do not close the issue", async () => {
    const agents = {
      ...WORKFLOW.agents,
      reviewer: { ...WORKFLOW.agents.reviewer, outputPhases: { approved: "done", dropped: "done" } },
    };
    const dropped = printing(says("closing", { outcome: "dropped", reason: "no" }));
    const box = await workflowBox({ reviewer: dropped, workflow: { agents } });

    await box.e8(RUN);

    expect(await labelsOf(box, 1)).toBe("done");
    expect(await issueText(box, 1)).not.toContain("state: CLOSED");
  });

  test("the prioritizer says which issue comes first", async () => {
    const urgent = {
      assignments: [
        { issue: 2, priority: "P1" },
        { issue: 1, priority: "P3" },
      ],
    };
    const box = await workflowBox({
      labels: { 1: ["ready"], 2: ["ready"] },
      workflow: { prioritizer: { agent: "ranker", labels: ["P1", "P2", "P3"], defaultLabel: "P2" } },
    });
    const ranker = agent(printing(says("closing", urgent)));
    const properties = { assignments: { type: "array" } };
    const steps = ranker.steps.map((step) => ({ ...step, properties, prompt: "Rank.\n" }));
    await writeAgent(box, { ...ranker, parameters: {}, steps }, "ranker");

    await box.e8(RUN);

    expect((await turns(box))[0]).toBe("2 success → review");
    expect(await labelsOf(box, 2)).toBe("P1,done");
  });

  test("a file that an agent hands on is in the next one's worktree, and neither lands nor touches the checkout", async () => {
    const emit = { type: "review", schemaRef: "review@1", path: "tmp/handed/built.json" };
    const handoffs = [
      {
        ...{ id: "built", when: { fromAgent: "builder", outcome: "success" }, emit, persistPayloadTo: "none" },
        payloadFrom: { note: "$.agent.result.reason", by: "'builder'" },
      },
    ];
    const reads = `grep -q "look at built" tmp/handed/built.json && ${APPROVES} || ${REJECTS}`;
    const builder = BUILDER.replace(printing(says("closing")), printing(says("closing", { reason: "look at built" })));
    const box = await workflowBox({ builder, reviewer: reads, workflow: { handoffs } });

    await box.e8(RUN);

    expect(await turns(box)).toEqual(["1 success → review", "1 approved → done"]);
    expect(await git(box.project, "ls-tree", "-r", "--name-only", "main")).not.toContain("tmp/");
    expect(await git(box.project, "status", "--porcelain")).not.toContain("tmp");
    expect(existsSync(join(box.project, "tmp"))).toBe(false);
    expect(await git(box.project, "branch", "--list", "feature/*")).toBe("");
  });
});
