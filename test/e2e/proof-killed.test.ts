import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { answer, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { git, write } from "../support/repository.ts";
import { type Sandbox, type Started, sandbox } from "../support/sandbox.ts";
import { randomFrom } from "../support/seeded-kill.ts";
import { filterCalls, leftOver, processesOf, usersRepository, usersState } from "../support/users-repository.ts";

const PHASES = ["start", "snapshot", "checkout", "setup", "checks", "review", "end"] as const;
type Phase = (typeof PHASES)[number];

/** So many in each phase, and as many rollbacks. */
const KILLS = Math.ceil(Number(process.env.E8_KILLS ?? 16) / (PHASES.length + 1));
const SEEDS = Array.from({ length: KILLS }, (_, index) => index + 1);

/** The event after which a phase has begun. Snapshot and checkout are met in git's own filter. */
const BEGINS: Record<Exclude<Phase, "snapshot" | "checkout">, string> = {
  start: '"type":"run-start"',
  setup: '"phase":"setup"',
  checks: '"type":"setup-end"',
  review: '"phase":"review"',
  end: '"type":"proof"',
};

const LONGEST_MS: Record<Phase, number> = {
  start: 300,
  snapshot: 80,
  checkout: 80,
  setup: 150,
  checks: 200,
  review: 200,
  end: 80,
};

const REVIEW = { ...answer({ findings: [], criteria: [] }), delay_ms: 150 };

async function project(): Promise<Sandbox> {
  const box = await sandbox(story(scene({ who: "reviewer", repeat: true }, REVIEW)));
  delete box.env.ENDLESS8_PROOF;
  await usersRepository(box);
  return box;
}

/** Each seed has another `setup`, which has to run, and other files, which have to be checked out. */
async function newTask(box: Sandbox, seed: number): Promise<string[]> {
  await write(box.project, { "a.txt": "start\n", "data/1.slow": `start ${seed}\n`, "data/4.slow": `start ${seed}\n` });
  return [
    ...[
      "run",
      "Finish a.txt",
      "--agent-command",
      `echo done > a.txt; echo ${seed} | tee data/1.slow > data/4.slow; sleep 0.05`,
    ],
    ...["--check", "sh check.sh", "--setup", `sh install.sh ${seed}`, "--keep", "node_modules"],
    ...["--reviewer", "anthropic:claude-opus-5-5", "--json-events"],
  ];
}

/** Waits for the phase and a little longer. Returns whether it was there to be killed. */
async function killIn(box: Sandbox, phase: Phase, random: () => number, { child, ended }: Started): Promise<boolean> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  if (phase === "snapshot" || phase === "checkout") {
    const direction = phase === "snapshot" ? "clean" : "smudge";
    const wanted = (await filterCalls(box, direction)) + 1 + Math.floor(random() * 2);
    while (!isOver && (await filterCalls(box, direction)) < wanted) await sleep(3);
  } else {
    let said = "";
    child.stdout?.on("data", (part) => {
      said += part;
    });
    while (!isOver && !said.includes(BEGINS[phase])) await sleep(3);
  }
  await sleep(random() * LONGEST_MS[phase]);
  const isKilled = child.kill("SIGKILL");
  await ended;
  return isKilled;
}

async function expectProved(box: Sandbox): Promise<void> {
  const records = await box.records();
  const proofs = records.filter((record) => record.type === "proof");
  expect(records.filter((record) => record.type === "final_result")).toHaveLength(1);
  expect(records.at(-1)).toMatchObject({
    type: "final_result",
    status: "completed",
    iterations_used: 1,
    proof: { method: "clean-room", weaker: [], checks: [{ before: false, after: true }] },
  });
  expect(proofs.filter(({ iteration }, index) => proofs[index + 1]?.iteration !== iteration)).toHaveLength(1);
}

async function expectNothingLeft(box: Sandbox): Promise<void> {
  await eventually("no process is left", () => processesOf(box).length === 0);
  expect(await leftOver(box)).toEqual([]);
  expect(await git(box.project, "fsck", "--no-dangling")).toBe("");
  expect(await readdir(box.home)).not.toContain("hook-ran");
}

describe("killed -9, a run goes on and ends proved; all that is the user's is as it was", () => {
  test.each(PHASES)(`during %s (seeds 1 to ${KILLS})`, { timeout: 60_000 + KILLS * 20_000 }, async (phase) => {
    const box = await project();
    const before = await usersState(box);
    let killed = 0;
    for (const seed of SEEDS) {
      const random = randomFrom(seed * 31 + PHASES.indexOf(phase));
      const isKilled = await killIn(box, phase, random, box.start(await newTask(box, seed)));
      expect(await usersState(box)).toEqual(before);
      if (isKilled) killed += 1;
      const wasOver = await goOn(box);
      await expectProved(box);
      expect(await usersState(box)).toEqual(before);
      if (wasOver) await box.e8(["clean"]); // the lock of a task that has ended keeps nobody out
      await expectNothingLeft(box);
    }
    expect(killed).toBeGreaterThan(0);
    await box.e8(["clean"]);
    expect(await readdir(join(box.home, ".cache/endless8/rooms"))).toEqual([]);
    report(phase, killed);
  });
});

/** A task that had come to its end is followed by another one, for which nothing may be in the way. */
async function goOn(box: Sandbox): Promise<boolean> {
  const isOver = (await box.records()).at(-1)?.type === "final_result";
  const next = isOver ? await newTask(box, 0) : ["run", "--resume", "--json-events"];
  const ended = await box.e8(next);
  expect(ended.code, ended.stderr).toBe(0);
  return isOver;
}

test(`a rollback that is killed -9 (seeds 1 to ${KILLS}) ends right the second time, and all files can be had back`, {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  const box = await project();
  let killed = 0;
  for (const seed of SEEDS) {
    const random = randomFrom(seed * 31 + PHASES.length);
    expect((await box.e8(await newTask(box, seed))).code).toBe(0);
    await write(box.project, { "later.txt": `${seed}\n`, "data/2.slow": `after the run ${seed}\n` });
    const before = await usersState(box, []);
    const [id = ""] = (await box.tasks()).slice(-1);
    const back = ["rollback", id, "--to", "0"];

    const first = box.start(back);
    if (await killIn(box, random() < 0.4 ? "snapshot" : "checkout", random, first)) killed += 1;
    const again = await box.e8(back);

    expect(again.code, again.stderr).toBe(0);
    expect(await box.read("a.txt")).toBe("start\n");
    expect(await box.read("data/1.slow")).toBe(`start ${seed}\n`);
    await expect(box.read("later.txt")).rejects.toThrow();
    await expectNothingLeft(box);
    const told = (await first.ended).stdout || again.stdout;
    const [commit = ""] = /(?<=--to )\w+(?=\n$)/.exec(told) ?? []; // the last one named
    expect((await box.e8(["rollback", id, "--to", commit])).code).toBe(0);
    expect(await usersState(box, [])).toEqual(before);
    await rm(join(box.project, "later.txt"));
  }
  expect(killed).toBeGreaterThan(0);
  report("rollback", killed);
});

function report(phase: string, killed: number): void {
  if (process.env.E8_KILLS) console.log(`${phase}: ${killed} of ${KILLS} were killed before their end`);
}
