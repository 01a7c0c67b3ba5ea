import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProofRecord } from "../../src/model/proof-record.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { processesOf } from "../support/users-repository.ts";

/** A project whose check needs an installed package. `setups` counts how often it was installed. */
async function project(more: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "a.txt": "start\n",
    "package-lock.json": '{ "lockfileVersion": 3 }\n',
    "install.sh": 'set -e; echo run >> "$SETUPS"; mkdir -p node_modules/p; echo installed > node_modules/p/index.js\n',
    ".gitignore": "node_modules/\ndist/\n.env\n",
    ...more,
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  await write(box.home, { ".cache/setups": "" }); // of HOME, a sandbox lets only caches be written
  box.env.SETUPS = join(box.home, ".cache", "setups");
  return box;
}

const SETUP = ["--setup", "sh install.sh", "--keep", "node_modules"];
const CHECK = ["--check", "grep -q done a.txt && grep -q installed node_modules/p/index.js"];
const PLAIN = ["--check", "grep -q done a.txt"];
const INSTALL = "mkdir -p node_modules/p; echo installed > node_modules/p/index.js";

function run(box: Sandbox, flags: readonly string[], worker = `${INSTALL}; echo done > a.txt`) {
  return box.e8(["run", "x", "--agent-command", worker, "-n", "2", "--json", ...flags]);
}

async function setups(box: Sandbox): Promise<number> {
  const lines = await readFile(box.env.SETUPS ?? "", "utf8").catch(() => "");
  return lines.split("\n").filter(Boolean).length;
}

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

test("setup prepares the clean checkout once; the second proof finds it prepared", async () => {
  const box = await project();

  const first = await run(box, [...SETUP, ...CHECK]);
  expect(resultOf(first)).toMatchObject({ status: "completed", proof: { method: "clean-room", weaker: [] } });
  expect(first.stderr).toContain("preparing the clean checkout");
  expect(first.stderr).toContain("sh install.sh: ");

  await write(box.project, { "a.txt": "start\n" });
  const second = await run(box, [...SETUP, ...CHECK]);
  expect(resultOf(second).proof?.method).toBe("clean-room");
  expect(await setups(box)).toBe(1);
});

test("setup runs again when a lock file has changed, and when a check has touched what it made", async () => {
  const box = await project();
  expect(resultOf(await run(box, [...SETUP, ...CHECK])).proof).toMatchObject({ method: "clean-room", weaker: [] });
  expect(await setups(box)).toBe(1);
  await write(box.project, { "a.txt": "start\n", "package-lock.json": '{ "lockfileVersion": 2 }\n' });
  const touching = ["--check", "grep -q done a.txt && echo more >> node_modules/p/index.js"];

  expect(resultOf(await run(box, [...SETUP, ...touching])).proof?.method).toBe("clean-room");
  expect(await setups(box)).toBe(2);
  await write(box.project, { "a.txt": "start\n" });
  expect(resultOf(await run(box, [...SETUP, ...CHECK])).proof?.method).toBe("clean-room");
  expect(await setups(box)).toBe(3);
});

test("what the worker installed does not count where setup installs", async () => {
  const box = await project();
  const forged = `mkdir -p node_modules/p; echo installed-forged > node_modules/p/index.js; echo done > a.txt`;
  const check = ["--check", "grep -q done a.txt && ! grep -q forged node_modules/p/index.js || test ! -e refuse"];

  const ended = await run(box, [...SETUP, ...check, "--if-green", "work"], forged);

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    proof: { method: "clean-room", made_since: [], protected_changes: [] },
  });
});

test("a setup that fails gives a proof in place that says why, and none where a clean one is asked for", async () => {
  const box = await project();
  const failing = ["--setup", "echo no network >&2; exit 7", "--keep", "node_modules", ...PLAIN];

  const believed = await run(box, failing, "echo done > a.txt");
  expect(resultOf(believed)).toMatchObject({ status: "completed", proof: { method: "in-place" } });
  const { params } = resultOf(believed).proof?.weaker[0] ?? {};
  expect(params).toMatchObject({ problem: { code: "setup_failed", params: { output: "no network" } } });
  expect((await box.e8(["show", "--proof"])).stdout).toMatch(/setup `echo no network.*` did not succeed .*no network/);

  await write(box.project, { "a.txt": "start\n" });
  const worker = 'cat >> "$SETUPS"; echo done > a.txt'; // what it may have broken, it is to repair: it reads the cause
  const refused = await run(box, [...failing, "--proof", "clean"], worker);
  expect(refused.code).toBe(1);
  expect((await proofs(box)).at(-1)?.reasons).toMatchObject([
    { code: "proof_not_clean", params: { problem: { code: "setup_failed", params: { output: "no network" } } } },
  ]);
  expect(refused.stderr).toMatch(/none could be made: its setup `echo no network.* did not succeed .*no network/);
  expect(await readFile(box.env.SETUPS ?? "", "utf8")).toMatch(/none could be made: its setup .*no network/);
});

test("a setup that never ends is ended after its time, with all that it started", async () => {
  const box = await project();
  const ended = await run(box, ["--setup", "sleep 987 & wait", "--setup-timeout", "1", ...PLAIN], "echo done > a.txt");

  const { params } = resultOf(ended).proof?.weaker[0] ?? {};
  expect(params).toMatchObject({
    problem: {
      params: { outcome: { code: "command_timed_out", params: { limit: { seconds: 1, setting: "--setup-timeout" } } } },
    },
  });
  expect(await box.e8(["show", "--proof"])).toMatchObject({ stdout: expect.stringContaining("--setup-timeout") });
});

test("setup and its outcome are on the event wire, and in a dry run", async () => {
  const box = await project();
  const dry = await run(box, [...SETUP, ...CHECK, "--dry-run"]);
  expect(dry.stdout).toContain("sh install.sh");

  const wired = await box.e8([
    ...["run", "x", "--agent-command", "echo done > a.txt", "--json-events", ...SETUP],
    ...["--check", "grep -q done a.txt"],
  ]);
  const events = wired.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).event);
  const types = events.map(({ type, phase }: { type: string; phase?: string }) => phase ?? type);
  expect(types.indexOf("setup")).toBeGreaterThan(types.indexOf("prove"));
  expect(events).toContainEqual(
    expect.objectContaining({ type: "setup-end", command: "sh install.sh", is_done: true }),
  );
});

test("where setup makes more than keep names, it runs each time; tracked files that it changes are put back", async () => {
  const box = await project();
  const setup = [
    "--setup",
    "sh install.sh; mkdir -p dist; echo built > dist/x; echo spoiled > a.txt",
    ...SETUP.slice(2),
  ];
  const check = ["--check", "grep -q done a.txt && grep -q built dist/x"];
  for (const times of [1, 2]) {
    await write(box.project, { "a.txt": "start\n", "dist/x": "built\n" });
    expect(resultOf(await run(box, [...setup, ...check])).status).toBe("completed");
    expect(await setups(box)).toBe(times);
  }
});

test("e8 init writes the guessed setup, and the file can be run", async () => {
  const box = await project({ "package.json": '{ "name": "x" }\n' });
  await box.e8(["init", "--task", "x", "--check", "grep -q done a.txt"]);
  expect(await box.read("task.yaml")).toMatch(/^setup: npm ci\nkeep:\n {2}- node_modules$/m);
  expect((await box.e8(["run", "--config", "task.yaml", "--dry-run"])).code).toBe(0);
  expect(await readdir(box.project)).toContain("task.yaml");
});

test.each(["SIGINT", "SIGKILL"] as const)(
  "a setup that never ends is ended by %s to the run, with all that it started, and runs again when the task is resumed",
  async (signal) => {
    const box = await project();
    const hangs = 'echo run >> "$SETUPS"; test -e ~/.cache/go || { setsid sleep 98765 & sleep 98765; }; sh install.sh';
    const flags = ["--setup", hangs, "--keep", "node_modules", ...CHECK];
    const worker = `${INSTALL}; echo done > a.txt`;
    const run = box.start(["run", "x", "--agent-command", worker, "--json", ...flags]);
    await eventually("setup has begun", async () => (await setups(box)) === 1);

    run.child.kill(signal);
    const { code } = await run.ended;

    expect(code).toBe(signal === "SIGINT" ? 3 : null);
    await eventually("no process is left", () => processesOf(box).length === 0);
    await write(box.home, { ".cache/go": "" });
    const resumed = await box.e8(["run", "--resume", "--json"]);
    expect(resultOf(resumed)).toMatchObject({
      status: "completed",
      iterations_used: 1,
      proof: { method: "clean-room", weaker: [] },
    });
  },
);
