// What snapshots and proofs cost on top of the work and its checks. Git, files and commands are real.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createWorkspace } from "../dist/connection/workspace/workspace.js";
import { goalClaim } from "../dist/execution/proof/claim.js";
import { prove } from "../dist/execution/proof/prove.js";
import { NOTHING_DONE } from "../dist/model/state.js";
import { milliseconds } from "./table.mjs";
import { inTemporaryDirectory, medianOf, withTask } from "./workshop.mjs";

const TIMES = 9;

export async function proofCost() {
  return inTemporaryDirectory(async (directory) => {
    const large = await snapshots(join(directory, "large"), { files: 20_000, changed: 10 });
    const small = await snapshots(join(directory, "small"), { files: 100, changed: 1 });
    const proof = await proofs(join(directory, "proved"));
    return [
      {
        ...milliseconds("a snapshot of 20,000 files, 10 of them changed", large.changed, 250),
        beside: `${large.unchanged.toFixed(0)} ms where none has changed`,
      },
      {
        ...milliseconds("a snapshot of 100 files, one of them changed", small.changed),
        beside: `${small.unchanged.toFixed(1)} ms where none has changed; ${small.process.toFixed(1)} ms for a git process`,
      },
      {
        ...milliseconds("a proof beyond its checks, 1,000 files and 1,000 ignored, again", proof.again, 400),
        beside: `${proof.first.toFixed(0)} ms the first time`,
      },
    ];
  });
}

async function repository(directory, files) {
  for (let index = 0; index < files; index++) {
    const folder = join(directory, String(index % 100));
    if (index < 100) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${index}.txt`), `file ${index}\n`.repeat(20));
  }
  await writeFile(join(directory, ".gitignore"), "node_modules/\n.e8/\n");
  const git = (...args) => execFileSync("git", args, { cwd: directory });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "start");
  return git;
}

async function snapshots(directory, { files, changed }) {
  const git = await repository(directory, files);
  const folder = join(directory, ".git", "bench");
  await mkdir(folder);
  const workspace = createWorkspace(directory, { kept: { folder, task: "bench" } });
  await workspace.snapshot("start");
  const times = [];
  for (let time = 1; time <= TIMES; time++) {
    for (let index = 0; index < changed; index++)
      await writeFile(join(directory, String(index % 100), `${index}.txt`), `${time} ${"x".repeat(time)}\n`);
    times.push({
      changed: await spent(() => workspace.snapshot(String(time))),
      unchanged: await spent(() => workspace.snapshot(`${time}-again`)),
      process: await spent(() => git("--version")),
    });
  }
  return Object.fromEntries(["changed", "unchanged", "process"].map((key) => [key, medianOf(times, key)]));
}

/** The time of a whole proof without that of its check. */
async function proofs(directory) {
  await repository(directory, 1000);
  for (let index = 0; index < 1000; index++) {
    const folder = join(directory, "node_modules", `p${index % 50}`);
    if (index < 50) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${index}.js`), `// ${index}\n`.repeat(50));
  }
  const criteria = [{ type: "command", command: "true" }];
  return withTask(directory, { criteria, maxIterations: 1, proof: "auto" }, async (plain) => {
    const { store } = plain.ports;
    const kept = { folder: store.location, task: store.task.task_id };
    const workspace = createWorkspace(directory, { kept });
    const context = { ...plain, ports: { ...plain.ports, workspace }, has_reviewer: false };
    const start = await workspace.snapshot("start");
    await workspace.keepIgnored();
    await store.save({ start: start.commit, toolchain: await context.ports.commands.toolchain(["true"]) });
    const times = [];
    for (let time = 0; time <= TIMES; time++) {
      await writeFile(join(directory, "0", "0.txt"), `${time}\n`);
      times.push({ own: await oneProof(context, time + 1) });
    }
    return { first: times[0].own, again: medianOf(times.slice(1), "own") };
  });
}

async function oneProof(context, iteration) {
  const request = { command: "true", timeout_seconds: 60, pipefail: false };
  const check = await spent(() => context.ports.commands.run(request, context.signal));
  const whole = await spent(async () => {
    const state = { ...NOTHING_DONE, iterations: iteration };
    const events = prove(context, goalClaim(context, state), state);
    for (;;) {
      const { done, value } = await events.next();
      if (!done) continue;
      if (!value.holds || value.method !== "clean-room") throw new Error(JSON.stringify(value));
      return;
    }
  });
  return whole - check;
}

async function spent(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
