import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { branches, comparisonIn, programs, quickCompareBox, usersState, worktrees } from "../support/compare-box.ts";
import { git } from "../support/repository.ts";
import { resultOf } from "../support/sandbox.ts";

const GOOD = "echo done > done.txt; echo more >> a.txt";
const BAD = "echo no > done.txt; echo x > left.log";

describe("e8 compare", () => {
  test("runs the task once with each agent from the same commit, merges nothing, and shows how each came out", async () => {
    const box = await quickCompareBox();
    const before = await usersState(box);

    const ended = await box.e8(["compare", ...programs(GOOD, BAD), "--base", "main", "-n", "2", "--json", "task.yaml"]);

    const compared = comparisonIn(ended);
    expect(ended.code).toBe(0);
    expect(compared).toMatchObject({
      ...{ base: "main", base_commit: (await git(box.project, "rev-parse", "main")).trim(), task: "Write done.txt" },
      runs: [
        {
          ...{ number: 1, agent: `command:${GOOD}`, status: "completed", criteria_met: 1, criteria: 1 },
          ...{ proof: "clean-room", iterations: 1, tokens: null, cost_usd: null, landing: null },
          changes: { files: 2, added: 2, removed: 0 },
        },
        { number: 2, status: "max_iterations", criteria_met: 0, proof: null, iterations: 2, cost_usd: null },
      ],
    });
    expect(compared.runs.map(({ task_id }) => task_id)).toEqual(await box.tasks());
    expect(compared.comparison).toBe((await box.tasks())[0]);
    expect(await branches(box)).toHaveLength(2);
    expect(await worktrees(box)).toBe(2);
    expect(await usersState(box)).toEqual(before);

    const again = await box.e8(["compare"]);
    expect(again.stdout).toMatch(/criteria met +1\/1 +0\/1\n/);
    expect(again.stdout).toMatch(/tokens +unknown +unknown\ncost +unknown +unknown\n/);
    expect(again.stderr).toContain(`e8 compare --keep <number or agent> ${compared.comparison}`);
  });

  test("--keep, afterwards, merges the chosen one as its own run would have, and removes the others; their work stays reachable", async () => {
    const box = await quickCompareBox();
    const before = await usersState(box);
    const begun = await box.e8(["compare", ...programs(GOOD, BAD), "--base", "main", "-n", "1", "--json", "task.yaml"]);
    const [first, second] = comparisonIn(begun).runs;
    const main = await git(box.project, "rev-parse", "main");

    const unfit = await box.e8(["compare", "--keep", "2"]);
    expect(unfit).toMatchObject({ code: 2 });
    expect(unfit.stderr).toContain(`e8 run --resume ${second?.task_id}`);
    expect(await git(box.project, "rev-parse", "main")).toBe(main);

    const kept = await box.e8(["compare", "--keep", "1", "--json", first?.task_id ?? ""]);
    expect(comparisonIn(kept).runs).toMatchObject([{ landing: "landed" }, { landing: null }]);
    expect(kept.code).toBe(0);
    expect(await git(box.project, "show", "main:done.txt")).toBe("done\n");
    expect(await branches(box)).toEqual([]);
    expect(await worktrees(box)).toBe(0);
    expect(await usersState(box)).toEqual(before);
    expect(kept.stderr).toContain("left.log"); // git ignores it: it is gone, and that is said

    const commit = comparisonIn(kept).runs[1]?.kept_commit ?? "";
    expect(await git(box.project, "show", `${commit}:done.txt`)).toBe("no\n");
    const resumed = await box.e8([
      "run",
      "--resume",
      second?.task_id ?? "",
      "-n",
      "3",
      "--agent-command",
      "echo done >> done.txt",
      "--json",
    ]);
    expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 2 });
    const [branch = ""] = await branches(box);
    expect(await git(box.project, "show", `${branch.trim()}:done.txt`)).toBe("no\ndone\n");
  });

  test("--keep from the start, --others keep and --parallel: the chosen one is merged at the end, the others stay", async () => {
    const box = await quickCompareBox();
    const flags = ["--base", "main", "--parallel", "--keep", "2", "--others", "keep"];
    const ended = await box.e8(["compare", ...programs(BAD, GOOD), ...flags, "-n", "1", "--json-events", "task.yaml"]);

    const events = ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(ended.code).toBe(0);
    expect(events.at(-1)).toMatchObject({
      type: "comparison-end",
      result: { runs: [{ landing: null }, { landing: "landed" }] },
    });
    const [one, two] = [
      events.find(({ type }) => type === "entry-start"),
      events.find(({ type }) => type === "keeping"),
    ];
    expect([one, two]).toMatchObject([{ number: 1 }, { number: 2, agent: `command:${GOOD}` }]);
    expect(events.find(({ event }) => event?.type === "judgment")).toMatchObject({
      agent: expect.any(String),
      seq: expect.any(Number),
    });
    expect(await branches(box)).toHaveLength(1);
    expect(await git(box.project, "show", "main:done.txt")).toBe("done\n");
  });

  test("--keep none removes all, with exit code 0; a run whose work was kept nowhere else can be found again", async () => {
    const box = await quickCompareBox();
    await box.e8(["compare", ...programs(GOOD, BAD), "--base", "main", "-n", "1", "task.yaml"]);
    const dropped = await box.e8(["compare", "--keep", "none", "--json"]);

    expect(dropped.code).toBe(0);
    expect(await branches(box)).toEqual([]);
    for (const { kept_commit } of comparisonIn(dropped).runs)
      expect(await git(box.project, "cat-file", "-t", kept_commit ?? "")).toBe("commit\n");
    expect(await git(box.project, "log", "--format=%s", "main")).toBe("first\n");
  });

  test("exit code 1 where none completes; the base is the branch that the user is on, and that is said", async () => {
    const box = await quickCompareBox();
    const ended = await box.e8(["compare", ...programs(BAD, BAD), "-n", "1", "task.yaml"]);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/The base is mine, the branch that you are on, at [0-9a-f]{10}/);
    expect(ended.stderr).toContain("Your checkout has changes that are not committed");
  });

  test("--dry-run shows what would be compared and changes nothing", async () => {
    const box = await quickCompareBox();
    const agents = ["--agent", "claude@haiku", "--agent", "command:x"];
    const ended = await box.e8(["compare", "--dry-run", ...agents, "--base", "main", "--no-intake", "task.yaml"]);

    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/1 +claude@haiku +haiku +main +[0-9a-f]{10} +merge\n2 +command:x +main/);
    expect(ended.stdout.match(/^claude can:$/gm)).toHaveLength(1);
    expect(ended.stdout).toMatch(/^command:x can:\n(?: {2}.*\n)+command:x cannot:\n(?: {2}.*\n)* {2}report its cost$/m);
    expect(existsSync(join(box.project, ".e8"))).toBe(false);
    expect(await branches(box)).toEqual([]);
  });

  test("--dry-run says of each agent what e8 run --dry-run says", async () => {
    const box = await quickCompareBox();
    await box.write("endless8.yaml", JSON.stringify({ agents: ["claude", "codex"], sandbox: "strict" }));
    const agents = ["command:x", "claude"];
    const flags = ["--no-intake", "--max-cost", "1", "--dry-run", "--json"];
    const named = agents.flatMap((agent) => ["--agent", agent]);

    const compared = await box.e8(["compare", ...flags, ...named, "--base", "main", "task.yaml"]);
    const alone = await Promise.all(
      agents.map((agent) => box.e8(["run", ...flags, "--agent", agent, "--config", "task.yaml"])),
    );

    const told = ({ stdout }: { stdout: string }) => JSON.parse(stdout);
    const runs = told(compared).runs.map(({ abilities, notices }: Record<string, unknown>) => ({ abilities, notices }));
    expect(runs).toEqual(alone.map(told).map(({ abilities, notices }) => ({ abilities, notices })));
    expect(runs[0]).toMatchObject({
      abilities: [{ agent: "command:x", cannot: expect.arrayContaining(["opened_in_strict"]) }],
      notices: [{ code: "agent_cost_unknown" }, { code: "agent_closed_in" }],
    });
    expect(runs[1]).toMatchObject({ abilities: [{ can: expect.arrayContaining(["opened_in_strict"]) }], notices: [] });
  });

  test.each([
    ["one agent alone", ["--agent", "claude", "task.yaml"], "name at least two agents"],
    ["an agent that does not exist", ["--agent", "cluade", "--agent", "claude", "task.yaml"], "cluade"],
    [
      "a choice that fits two",
      ["--agent", "claude", "--agent", "claude", "--keep", "claude", "task.yaml"],
      "is the agent of 2 runs",
    ],
    ["a comparison that is not there", ["--keep", "1"], "There is no comparison"],
  ])("%s is refused before anything begins, with exit code 2", async (_name, args, words) => {
    const box = await quickCompareBox();
    const ended = await box.e8(["compare", ...args]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
    expect(await box.tasks().catch(() => [])).toEqual([]);
  });

  test("a project that is no git repository is refused with that reason", async () => {
    const box = await quickCompareBox();
    await rm(join(box.project, ".git"), { recursive: true });
    const ended = await box.e8(["compare", ...programs(GOOD, BAD), "task.yaml"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/Agents cannot be compared here: .* is not in a git repository/);
  });
});
