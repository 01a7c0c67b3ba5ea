import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { ProofRecord } from "../../../src/model/proof-record.ts";
import { commitAll, promptsOf, type StepSketch, says, writeAgent } from "../../support/agents.ts";
import { type GithubServer, startGithub } from "../../support/github-server.ts";
import { quickSandbox } from "../../support/in-process.ts";
import { addRemote } from "../../support/landed-backlog.ts";
import { git, write } from "../../support/repository.ts";
import { resultOf, type Sandbox } from "../../support/sandbox.ts";

const RUN = ["agent", "run", "small", "--issue", "5", "--json"];
const STEPS: StepSketch[] = [
  { id: "initial.work", go: { handoff: "closure.task", repeat: "initial.work" } },
  { id: "closure.task", go: { closing: null, repeat: "initial.work" } },
];
/** Slow enough to be killed, and it says when it has begun. */
const CHECK = 'echo begun >> "$BEGUN"; sleep 0.3; grep -q done a.txt\n';

interface Scene {
  box: Sandbox;
  env: Record<string, string>;
  github: GithubServer;
}

/** A flow whose steps are programs; the proof is on, as it is for users. */
async function ready(work: string, conditions: Record<string, string> = { checked: "sh check.sh" }): Promise<Scene> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  const github = await startGithub({ 5: { title: "Five" } });
  const runner = { command: "sh", args: ["-c", `${work}; cat "$E8_STEP.json"`], timeout: 60_000 };
  await writeAgent(box, { ...sketch(conditions), steps: STEPS.map((step) => ({ ...step, more: { runner } })) });
  await box.write("initial.work.json", JSON.stringify(says("handoff")));
  await box.write("closure.task.json", JSON.stringify(says("closing")));
  await box.write("a.txt", "start\n");
  await box.write("check.sh", CHECK);
  await box.write("test/a.test.js", "// a test\n");
  await commitAll(box);
  await git(box.project, "remote", "add", "origin", "https://github.com/some-owner/some.repo.git");
  const env = { GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url, BEGUN: `${box.home}/.cache/begun` };
  await write(box.home, { ".cache/used": "" }); // of HOME, a sandbox lets only caches be written
  return { box, env, github };
}

function sketch(conditions: Record<string, string>) {
  const validators = Object.entries(conditions).map(([name, command]) => [name, { type: "command", command }]);
  return {
    parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
    integrations: { github: { enabled: true, defaultClosureAction: "close" } },
    registry: {
      validators: Object.fromEntries(validators),
      completionSteps: {
        "closure.task": {
          stepId: "closure.task",
          name: "Done?",
          c2: "retry",
          c3: "task",
          completionConditions: Object.keys(conditions).map((validator) => ({ validator })),
        },
      },
    },
  };
}

function closings({ requests }: GithubServer): string[] {
  return requests.filter((line) => line.startsWith("PATCH "));
}

/** The check has begun before the work, when the flow closes, and in the proof. */
async function thirdCheckOf({ home }: Sandbox): Promise<void> {
  const begun = async () => (await readFile(join(home, ".cache/begun"), "utf8").catch(() => "")).split("\n").length - 1;
  await vi.waitUntil(async () => (await begun()) >= 3, { timeout: 60_000 });
}

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

test("a flow's conditions run before the work and again in a clean checkout; only then the issue is closed", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  const ended = await box.e8(RUN, { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({
    method: "clean-room",
    checks: [{ criterion: "checked", before: false, after: true }],
    protected_changes: [],
    review: { missing: { code: "review_without_model" } },
  });
  expect(closings(github)).toHaveLength(1);
  expect((await box.e8(["show", "--proof"])).stdout).toContain("✘ → ✔");
});

test("a worker that weakens the check closes no issue, and the next one reads which file", async () => {
  const work = 'cat > "prompt-$E8_ITERATION.txt"; echo true > check.sh';
  const { box, env, github } = await ready(work);
  const ended = await box.e8([...RUN, "-n", "3"], { env });

  expect(ended.code).toBe(1);
  expect((await proofs(box))[0]).toMatchObject({ holds: false, flow: { next_step: "initial.work" } });
  expect(await box.read("prompt-3.txt")).toContain("M check.sh");
  expect(closings(github)).toEqual([]);
});

test("what the workspace alone can answer is asked again there, and changed tests are no condition's business", async () => {
  const commit = "git add -A; git -c user.name=t -c user.email=t@example.com commit -qm work";
  const { box, env } = await ready(`echo more >> test/a.test.js; ${commit}`, {
    committed: 'test -z "$(git status --porcelain)"',
  });
  const ended = await box.e8(RUN, { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({ method: "in-place", checks: [{ is_in_place: true }] });
});

test("--proof none needs no proof, and the result says so", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  const ended = await box.e8([...RUN.filter((word) => word !== "--json"), "--proof", "none"], { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("proof: none was asked for");
  expect(await proofs(box)).toEqual([]);
  expect(closings(github)).toHaveLength(1);
});

test("killed -9 during the proof of a flow, a resumed run proves again and closes the issue once", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  const { child, ended } = box.start(RUN, { env });
  await thirdCheckOf(box);
  child.kill("SIGKILL");
  await ended;
  expect(await proofs(box)).toEqual([]);
  expect(closings(github)).toEqual([]);

  const resumed = await box.e8(["run", "--resume", "--json"], { env });

  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 2, proof: { method: "clean-room" } });
  expect(closings(github)).toHaveLength(1);
});

test("Ctrl-C during the proof of a flow ends it as cancelled; it goes on where it was", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  const { child, ended } = box.start(RUN, { env });
  await thirdCheckOf(box);
  child.kill("SIGINT");
  expect((await ended).code).toBe(3);
  expect(closings(github)).toEqual([]);

  const resumed = await box.e8(["run", "--resume", "--json"], { env });
  expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(closings(github)).toHaveLength(1);
});

/** Claude Code takes the steps, and a reviewer reads what it did: two claims, the first with a weaker check. */
async function reviewed(work: string, ...reviews: Record<string, unknown>[]): Promise<Sandbox> {
  const claim = (command: string) => [
    scene("initial.work", use("Bash", { command }), answer(says("handoff"))),
    scene("closure.task", answer(says("closing"))),
  ];
  const box = await quickSandbox(
    story(
      ...claim(work),
      ...claim("git checkout -q check.sh; echo done > a.txt"),
      ...reviews.map((review) => scene("reviewer", answer(review))),
    ),
  );
  delete box.env.ENDLESS8_PROOF;
  const { registry } = sketch({ checked: "sh check.sh" });
  const [first, ...others] = STEPS;
  const prompt = "Finish a.txt. Give check.sh a second line that says so.";
  await writeAgent(box, { steps: [{ ...(first as StepSketch), prompt }, ...others], registry });
  await box.write("a.txt", "start\n");
  await box.write("check.sh", "grep -q done a.txt\n");
  await commitAll(box);
  return box;
}

const WEAKENED = { file: "check.sh", line: 1, quote: "true", explanation: "It always passes." };
const SMALL = ["agent", "run", "small", "--json"];

test("with Claude Code at work, a reviewer refutes a weakened check, and the work step reads why", async () => {
  const box = await reviewed(
    "echo true > check.sh",
    {
      findings: [{ kind: "disabled_check", ...WEAKENED }],
      protected_files: [{ ...WEAKENED, is_demanded: false, demand: "" }],
    },
    { findings: [] },
  );

  const ended = await box.e8(SMALL);

  expect(ended.code, ended.stderr).toBe(0);
  const [first, second] = await proofs(box);
  expect(first).toMatchObject({ holds: false, flow: { next_step: "initial.work" } });
  expect(first?.reasons.map(({ code }) => code)).toEqual(["review_undemanded", "review_finding"]);
  expect(second).toMatchObject({ holds: true, review: { reviews: [{ findings: [] }] } });
  const [, prompt] = await promptsOf(box, "initial.work");
  expect(prompt).toContain("check.sh:1 disables a check: `true`");
  expect(prompt).toContain("M check.sh");
});

test("a change of the check that the agent's instructions ask for is accepted, and the report says by whom", async () => {
  const line = { file: "check.sh", line: 2, quote: "echo finished", explanation: "As asked." };
  const demand = "Give check.sh a second line that says so.";
  const box = await reviewed("echo done > a.txt; echo 'echo finished' >> check.sh", {
    findings: [],
    protected_files: [{ ...line, is_demanded: true, demand }],
  });

  const ended = await box.e8(SMALL);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({
    method: "clean-room",
    protected_changes: [{ path: "check.sh" }],
    review: { reviews: [{ protected_files: [{ is_verified: true, is_demand_verified: true }] }] },
  });
  expect((await box.e8(["show", "--proof"])).stdout).toContain("check.sh");
});

test("a reviewer that invents a quotation and a demand is not believed", async () => {
  const line = { file: "check.sh", line: 1, quote: "grep -q finished a.txt", explanation: "As asked." };
  const invented = { findings: [], protected_files: [{ ...line, is_demanded: true, demand: "Make the check pass" }] };
  const box = await reviewed("echo true > check.sh", invented, invented, { findings: [] });

  const ended = await box.e8(SMALL);

  expect(ended.code, ended.stderr).toBe(0);
  expect((await proofs(box)).map(({ holds }) => holds)).toEqual([false, true]);
});

test("--no-review leaves protected files to the rule: their change refutes the claim", async () => {
  const box = await reviewed("echo true > check.sh");
  const ended = await box.e8([...SMALL, "--no-review"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect((await proofs(box)).map(({ review }) => review?.missing)).toMatchObject([
    { code: "review_off" },
    { code: "review_off" },
  ]);
  expect((await promptsOf(box, "initial.work"))[1]).toContain("M check.sh");
});

test("an agent whose definition says so works on the issue's branch, merges it, and then closes the issue", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  const file = join(box.project, ".agent/small/agent.json");
  const agent = JSON.parse(await readFile(file, "utf8"));
  agent.runner.execution = { worktree: { enabled: true }, finalize: { autoMerge: true, prTarget: "main" } };
  await write(box.project, { ".agent/small/agent.json": JSON.stringify(agent) });
  await commitAll(box);
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");

  const ended = await box.e8(RUN, { env });

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    landing: { outcome: "landed", branch: "feature/issue-5", base: "main" },
  });
  expect(await readFile(join(box.project, "a.txt"), "utf8")).toBe("start\n");
  expect(await git(box.project, "show", "main:a.txt")).toBe("done\n");
  expect(closings(github)).toHaveLength(1);
  expect(await git(box.project, "branch", "--list", "feature/*")).toBe("");
});

test("its pull request names the issue that it closes, with the verdict and the evidence", async () => {
  const { box, env, github } = await ready("echo done > a.txt");
  await git(box.project, "branch", "-M", "main");
  const remote = await addRemote(box, "work");
  const file = join(box.project, ".agent/small/agent.json");
  const agent = JSON.parse(await readFile(file, "utf8"));
  agent.runner.integrations.github.defaultClosureAction = "label-only";
  agent.runner.execution = {
    worktree: { enabled: true },
    finalize: { autoMerge: false, push: true, remote: "work", createPr: true, prTarget: "main" },
  };
  await write(box.project, { ".agent/small/agent.json": JSON.stringify(agent) });
  await commitAll(box);

  const ended = await box.e8(RUN, { env });

  expect(resultOf(ended)).toMatchObject({ status: "completed", landing: { outcome: "published" } });
  const [request] = [...github.issues.values()].filter(({ pull_request }) => pull_request);
  expect(request).toMatchObject({
    title: "Five (#5)",
    pull_request: { head: "feature/issue-5", base: "main", draft: false },
  });
  expect(request?.body).toMatch(/Proved in a clean checkout of [\s\S]*✔ `checked`[\s\S]*Closes #5/);
  expect(github.issues.get(5)?.state).toBe("open");
  expect(await git(remote, "show", "feature/issue-5:a.txt")).toBe("done\n");
  expect(await git(remote, "show", "main:a.txt")).toBe("start\n");
});
