import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import { type GithubServer, startGithub } from "../support/github-server.ts";
import {
  addIssues,
  addRemote,
  checkOf,
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
  landing: ['"phase":"land"', 500],
  closing: ['"type":"effect"', 40],
  place: ['"type":"turn-start"', 700],
  work: ['"phase":"execute"', 500],
  proof: ['"phase":"prove"', 700],
  merge: ['"phase":"land"', 150],
  clearing: ['"type":"landing"', 200],
  comment: ['"type":"turn-end"', 40],
} as const satisfies Record<string, readonly [string, number]>;
type Stage = keyof typeof STAGES;

/** Where work lands. `kept`: the base is checked out. The issues are files, or on GitHub. */
const WAYS = ["github-pr", "push", "kept", "pr", "github", "here"] as const;
type Way = (typeof WAYS)[number];

/** Many by hand: `E8_KILLS=100 npx vitest run test/e2e/orchestrate-killed.test.ts`. */
const KILLS = Number(process.env.E8_KILLS ?? 2);
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

const FLAGS: Record<Way, string[]> = {
  ...{ here: [], push: ["--push"], kept: [], pr: ["--create-pr"] },
  ...{ github: ["--push"], "github-pr": ["--create-pr"] },
};

interface Box extends Sandbox {
  github: GithubServer | undefined;
}

async function project(way: Way): Promise<Box> {
  const box = await sandbox();
  delete box.env.ENDLESS8_PROOF;
  await usersRepository(box);
  await addRemote(box);
  if (way !== "kept") {
    await git(box.project, "branch", "mine");
    await git(box.project, "symbolic-ref", "HEAD", "refs/heads/mine");
  }
  await write(box.home, { "worker.sh": WORKER });
  const github = way.startsWith("github") ? await onGithub(box) : undefined;
  if (!github) await addIssues(box, 3);
  return { ...box, github };
}

/** What is pushed goes to the other remote. */
async function onGithub(box: Sandbox): Promise<GithubServer> {
  const issue = (number: number) => ({
    title: `Write done-${number}.txt`,
    body: `Write it.\n\n\`\`\`check\n${checkOf(number)}\n\`\`\`\n`,
    created_at: `2026-01-0${number}T00:00:00Z`,
  });
  const github = await startGithub({ 1: issue(1), 2: issue(2), 3: issue(3) });
  await git(box.project, "remote", "rename", "origin", "work");
  await git(box.project, "remote", "add", "origin", "https://github.com/some-owner/some.repo.git");
  await write(box.project, { "endless8.yaml": "finalize: { remote: work }\n" });
  Object.assign(box.env, { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token });
  return github;
}

function commandOf(box: Sandbox, way: Way): string[] {
  const work = ["--agent-command", `sh '${join(box.home, "worker.sh")}'`, "--parallel", "2"];
  return ["orchestrate", "--base", "main", "--json-events", ...work, ...FLAGS[way]];
}

/** Kills e8 in the stage of one of the issues, some of the time the workers before it. Returns how often something was killed. */
async function killIn(box: Sandbox, stage: Stage, random: () => number, { child, ended }: Started): Promise<number> {
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
  let kills = 0;
  if (random() < 0.4) {
    kills += killWorkers(box);
    await sleep(random() < 0.5 ? 0 : random() * longest); // e8 may have heard of it
  }
  if (child.kill("SIGKILL")) kills += 1;
  await ended;
  return kills;
}

function killWorkers(box: Sandbox): number {
  let kills = 0;
  for (const line of processesOf(box).filter((one) => one.includes("worker.sh") && !one.includes("orchestrate"))) {
    try {
      process.kill(Number(line.split(" ")[0]), "SIGKILL");
      kills += 1;
    } catch {} // it has ended
  }
  return kills;
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

async function expectEnded(box: Box, way: Way): Promise<void> {
  const isLocal = way === "here" || way === "kept";
  const repository = isLocal ? box.project : join(box.home, "remote.git");
  const base = way === "kept" ? "refs/e8/landed/main" : "main";
  const opens = way.endsWith("pr");
  const stands = ({ github }: Box, issue: number) => (github ? issueOnGithub(github, issue) : issueIn(box, issue));
  for (const issue of [1, 2, 3]) expect(await stands(box, issue)).toEqual({ is_closed: !opens, comments: 1 });
  if (opens) {
    const requests = box.github ? requestsOnGithub(box.github) : await pullRequests(box);
    expect(requests).toEqual({ "feature/issue-1": 1, "feature/issue-2": 1, "feature/issue-3": 1 });
    expect(await landings(repository, base)).toEqual([]);
    return;
  }
  expect((await landings(repository, base)).sort()).toEqual([1, 2, 3]);
  expect((await git(repository, "rev-list", "--first-parent", base)).trim().split("\n")).toHaveLength(4);
  await expectGreen(box, repository, base);
}

function issueOnGithub({ issues, comments }: GithubServer, number: number) {
  return { is_closed: issues.get(number)?.state === "closed", comments: comments.get(number)?.length ?? 0 };
}

/** How many pull requests each head has, all of them with the issue that they close. */
function requestsOnGithub({ issues }: GithubServer): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { pull_request, body } of issues.values()) {
    if (!pull_request?.head) continue;
    const [, number] = pull_request.head.split("feature/issue-");
    expect(body).toContain(`Closes #${number}`);
    found[pull_request.head] = (found[pull_request.head] ?? 0) + 1;
  }
  return found;
}

/** What a landing moves. */
const MOVED = [".git/refs/heads/main", ".git/logs/refs/heads/main"];

describe("killed -9 in the middle of a backlog, every issue ends exactly once after --resume", () => {
  test.each(CASES)("in $stage, $way (seed $seed)", { timeout: 180_000 }, async ({ seed, stage, way }) => {
    const random = randomFrom(seed * 37);
    const box = await project(way);
    const moved = way === "here" ? MOVED : [];
    const before = await usersState(box, moved);

    let kills = await killIn(box, stage, random, box.start(commandOf(box, way)));
    if (random() < 0.4) kills += await killIn(box, stage, random, box.start([...commandOf(box, way), "--resume"]));
    expect(await usersState(box, moved)).toMatchObject(before);
    await goOn(box, way);

    await expectEnded(box, way);
    expect(await usersState(box, moved)).toEqual(before);
    await eventually("no process is left", () => processesOf(box).length === 0);
    await expectNothingLeft(box);
    expect(await leftOver(box)).toEqual([]);
    expect(await readdir(join(box.home, ".cache/endless8/rooms"))).toEqual([]);
    expect(await readdir(box.home)).not.toContain("hook-ran");
    if (process.env.E8_KILLS) console.log(`killed ${kills} times: ${stage}, ${way}, seed ${seed}`);
  });
});
