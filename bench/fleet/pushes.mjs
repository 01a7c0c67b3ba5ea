// How many snapshots a git remote takes: workers of one machine push one after each iteration, each into the refs of its task.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { openMirror } from "../../dist/connection/fleet/mirror.js";
import { TaskRefs } from "../../dist/connection/fleet/task-refs.js";
import { percentile } from "./ground.mjs";

const TASKS = 16;
const ITERATIONS = 10;
const FILES = 200;

export async function pushes() {
  const home = await mkdtemp(join(tmpdir(), "e8-bench-pushes-"));
  try {
    const { remote, checkout, commits } = await repository(home);
    const environment = { ...process.env, XDG_CACHE_HOME: join(home, "cache") };
    const { signal } = new AbortController();
    const mirror = await openMirror(remote, { environment, signal });
    const times = [];
    const began = performance.now();
    const work = async (task) => {
      const refs = new TaskRefs(mirror, `2026-01-01T00-00-${String(task).padStart(2, "0")}`, signal);
      for (let iteration = 1; iteration <= ITERATIONS; iteration += 1) {
        const started = performance.now();
        const commit = commits[task * ITERATIONS + iteration - 1];
        await refs.push(String(iteration), { commit, from: checkout }, async () => {});
        times.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: TASKS }, (_, task) => work(task)));
    const seconds = (performance.now() - began) / 1000;
    const rate = (TASKS * ITERATIONS) / seconds;
    const p95 = percentile(times, 0.95);
    const what = `snapshots that ${TASKS} tasks of a machine push to a git remote on the same machine`;
    return [{ what, value: `${rate.toFixed(0)} a second`, beside: `p95 ${p95.toFixed(0)} ms` }];
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A remote, and a checkout with a commit for each push, which changes one file. */
async function repository(home) {
  const remote = join(home, "remote.git");
  const checkout = join(home, "checkout");
  const git = (...words) => execFileSync("git", ["-C", checkout, ...words], { encoding: "utf8" }).trim();
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", checkout]);
  for (let file = 0; file < FILES; file += 1)
    await writeFile(join(checkout, `file-${file}`), `line ${file}\n`.repeat(50));
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  const commits = [];
  for (let count = 0; count <= TASKS * ITERATIONS; count += 1) {
    await writeFile(join(checkout, "file-0"), `change ${count}\n`);
    git("add", "--all");
    git(...author, "commit", "--quiet", "--message", `change ${count}`);
    commits.push(git("rev-parse", "HEAD"));
  }
  git("push", "--quiet", remote, `${commits[0]}:refs/heads/main`);
  return { remote, checkout, commits: commits.slice(1) };
}
