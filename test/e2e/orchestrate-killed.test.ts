import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import {
  addIssues,
  addRemote,
  expectGreen,
  expectNothingLeft,
  issueIn,
  landings,
  pullRequests,
} from "../support/landed-backlog.ts";
import { git, write } from "../support/repository.ts";
import { type Ended, type Sandbox, type Started, sandbox } from "../support/sandbox.ts";
import { randomFrom } from "../support/seeded-kill.ts";
import { leftOver, processesOf, usersRepository, usersState } from "../support/users-repository.ts";

/** After which event a stage has begun, and how long it lasts at most. */
const STAGES = {
  place: ['"type":"turn-start"', 700],
  work: ['"phase":"execute"', 500],
  proof: ['"phase":"prove"', 700],
  merge: ['"phase":"land"', 150],
  landing: ['"phase":"land"', 500],
  clearing: ['"type":"landing"', 200],
  comment: ['"type":"turn-end"', 40],
  closing: ['"type":"effect"', 40],
} as const satisfies Record<string, readonly [string, number]>;
type Stage = keyof typeof STAGES;

/** Where work lands. `kept`: the base is checked out. */
const WAYS = ["here", "push", "kept", "pr"] as const;
type Way = (typeof WAYS)[number];

/** Run by hand (`E8_KILLS=100 npx vitest run test/e2e/orchestrate-killed.test.ts`): a killed process may still leave a ticket or a `.tmp` file, which is reported. */
const KILLS = Number(process.env.E8_KILLS ?? 8);
const STAGE_NAMES = Object.keys(STAGES) as Stage[];
const CASES = Array.from({ length: KILLS }, (_, index) => {
  const round = Math.floor(index / STAGE_NAMES.length);
  return { seed: index + 1, stage: STAGE_NAMES[index % STAGE_NAMES.length] ?? "place", way: wayOf(index + round) };
});

function wayOf(index: number): Way {
  return WAYS[index % WAYS.length] ?? "here";
}

const MOST_RESUMES = 4;

/** Issues 1 and 2 change the same line. */
const WORKER = `n=$(grep -o "done-[0-9]*.txt" | head -1 | grep -o "[0-9]*")
sleep 0.2
echo done > done-$n.txt
[ $n = 3 ] || echo "by $n" > a.txt
git add -A
git -c user.name=w -c user.email=w@x commit -qm "work on $n"
sleep 0.1
echo worked
`;

const FLAGS: Record<Way, string[]> = { here: [], push: ["--push"], kept: [], pr: ["--create-pr"] };

async function project(way: Way): Promise<Sandbox> {
  const box = await sandbox();
  delete box.env.ENDLESS8_PROOF;
  await usersRepository(box);
  await addRemote(box);
  if (way !== "kept") {
    await git(box.project, "branch", "mine");
    await git(box.project, "symbolic-ref", "HEAD", "refs/heads/mine");
  }
  await write(box.home, { "worker.sh": WORKER });
  await addIssues(box, 3);
  return box;
}

function commandOf(box: Sandbox, way: Way): string[] {
  const work = ["--agent-command", `sh '${join(box.home, "worker.sh")}'`, "--parallel", "2"];
  return ["orchestrate", "--base", "main", "--json-events", ...work, ...FLAGS[way]];
}

/** Kills e8 in the stage of one of the issues, some of the time the workers before it. */
async function killIn(box: Sandbox, stage: Stage, random: () => number, { child, ended }: Started): Promise<boolean> {
  const [begins, longest] = STAGES[stage];
  let [isOver, said] = [false, ""];
  const wanted = 1 + Math.floor(random() * 3);
  void ended.then(() => {
    isOver = true;
  });
  child.stdout?.on("data", (part) => {
    said += part;
  });
  while (!isOver && said.split(begins).length <= wanted) await sleep(3);
  await sleep(random() * longest);
  if (random() < 0.3) killWorkers(box);
  const isKilled = child.kill("SIGKILL");
  await ended;
  return isKilled;
}

function killWorkers(box: Sandbox): void {
  for (const line of processesOf(box).filter((one) => one.includes("worker.sh") && !one.includes("orchestrate"))) {
    try {
      process.kill(Number(line.split(" ")[0]), "SIGKILL");
    } catch {} // it has ended
  }
}

/** Resumes as often as needed. */
async function goOn(box: Sandbox, way: Way): Promise<Ended> {
  let last: Ended | undefined;
  for (let round = 1; round <= MOST_RESUMES; round += 1) {
    last = await box.e8([...commandOf(box, way), "--resume"]);
    if (last.code === 0) return last;
  }
  throw new Error(`not done: ${last?.stdout.split("\n").slice(-6).join("\n")}\n${last?.stderr}`);
}

async function expectEnded(box: Sandbox, way: Way): Promise<void> {
  const [repository, base] =
    way === "push" || way === "pr"
      ? [join(box.home, "remote.git"), "main"]
      : [box.project, way === "kept" ? "refs/e8/landed/main" : "main"];
  for (const issue of [1, 2, 3]) expect(await issueIn(box, issue)).toEqual({ is_closed: way !== "pr", comments: 1 });
  if (way === "pr") {
    expect(await pullRequests(box)).toEqual({ "feature/issue-1": 1, "feature/issue-2": 1, "feature/issue-3": 1 });
    expect(await landings(repository, base)).toEqual([]);
    return;
  }
  expect((await landings(repository, base)).sort()).toEqual([1, 2, 3]);
  expect((await git(repository, "rev-list", "--first-parent", base)).trim().split("\n")).toHaveLength(4);
  await expectGreen(box, repository, base);
}

/** What a landing moves. */
const MOVED: Record<Way, string[]> = {
  here: [".git/refs/heads/main", ".git/logs/refs/heads/main"],
  push: [],
  kept: [],
  pr: [],
};

describe.skipIf(!process.env.E8_KILLS)(
  "killed -9 in the middle of a backlog, every issue ends exactly once after --resume",
  () => {
    test.each(CASES)("in $stage, $way (seed $seed)", { timeout: 180_000 }, async ({ seed, stage, way }) => {
      const random = randomFrom(seed * 37);
      const box = await project(way);
      const before = await usersState(box, MOVED[way]);

      let kills = (await killIn(box, stage, random, box.start(commandOf(box, way)))) ? 1 : 0;
      if (random() < 0.4)
        kills += (await killIn(box, stage, random, box.start([...commandOf(box, way), "--resume"]))) ? 1 : 0;
      expect(await usersState(box, MOVED[way])).toMatchObject(before);
      await goOn(box, way);

      await expectEnded(box, way);
      expect(await usersState(box, MOVED[way])).toEqual(before);
      await eventually("no process is left", () => processesOf(box).length === 0);
      await expectNothingLeft(box);
      expect(await leftOver(box)).toEqual([]);
      expect(await readdir(join(box.home, ".cache/endless8/rooms"))).toEqual([]);
      expect(await readdir(box.home)).not.toContain("hook-ran");
      if (process.env.E8_KILLS) console.log(`killed ${kills} times: ${stage}, ${way}, seed ${seed}`);
    });
  },
);
