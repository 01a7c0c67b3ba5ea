// `node bench/loop-vs-shell.mjs [rounds]`: three iterations of e8 on the real Claude Code against a bare shell loop of three `claude -p`
// that do the same file work. The model is scripted and answers at once, so that only the programs' own time is measured.
// Needs a build.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { answer, say, scene, use } from "../dist/connection/agents/scripted/model/builders.js";
import { startScriptedModel } from "../dist/connection/agents/scripted/model/server.js";
import { medianOf } from "./workshop.mjs";

const execute = promisify(execFile);
export const E8 = fileURLToPath(new URL("../bin/e8.js", import.meta.url));
const MODEL = "claude-sonnet-5";
const ITERATIONS = 3;
const TASK = "Write the files of all steps.";
const CRITERION = "There is a file for each step";
const OVER_API = Object.fromEntries(["intake", "summarizer", "judge"].map((role) => [role, `anthropic:${MODEL}`]));

/** The programs to measure. */
export const contenders = {
  shell: { what: "shell loop of 3 x claude -p", run: shellLoop },
  default: { what: "e8 run with --check and its defaults", reach: 1.05, run: (place) => e8(place, withDefaults()) },
  roles: { what: "e8, intake + summarizer + judge", reach: 1.25, run: (place) => e8(place, withRoles()) },
  api: {
    what: "e8, the same roles over the API",
    reach: 1.1,
    run: (place) => e8(place, withRoles({ models: OVER_API })),
  },
  checks: { what: "e8, checks only (no summarizer, no review)", reach: 0.9, run: (place) => e8(place, checksOnly()) },
  command: { what: "e8, checks only, around the same claude -p", run: (place) => e8(place, aroundShell()) },
};

/** Rounds in which every contender runs once, so that a busy machine is busy for all of them; the first one only warms up. */
export async function measure(chosen = contenders, { rounds = 9, base = "shell", inPlace: place = inPlace } = {}) {
  const times = Object.fromEntries(Object.keys(chosen).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { run }] of Object.entries(chosen)) {
      const time = await place(run);
      if (round > 0) times[name].push(time);
    }
  }
  return Object.entries(chosen).map(([name, { what, reach }]) => ({
    name,
    what,
    reach,
    seconds: medianOf(times[name], "seconds"),
    ratio: medianOf(times[name], "seconds") / medianOf(times[base] ?? times[name], "seconds"),
  }));
}

/** The task that is judged by roles; `more` is merged into it. */
export function withRoles(more = {}) {
  return { ...taskFile({ criteria: [CRITERION] }), ...more };
}

/** What `e8 run "…" --check "…"` does: a check decides, and a summarizer condenses every iteration. */
function withDefaults() {
  return taskFile({ criteria: [CHECK] });
}

const CHECK = { type: "command", command: "test -f step-3.txt" };

/** No model but the worker's; proof and sandbox as by default. */
export function checksOnly(more = {}) {
  return { ...taskFile({ criteria: [CHECK], intake: false, review: false }), models: { summarizer: "none" }, ...more };
}

/** Every iteration starts the very program that the shell loop starts: what is on top is our own. */
function aroundShell() {
  const command = `${claudeCall(shellWord(bundledClaude()))} </dev/null`;
  return { task: TASK, criteria: [CHECK], agent: { command } };
}

/** Runs a task in the place; throws when it does anything but the three iterations and their proof. */
export async function e8(place, task, environment = {}) {
  await writeFile(join(place.project, "task.yaml"), JSON.stringify(task));
  const command = [process.execPath, E8, "run", "--config", "task.yaml", "--project", place.project, "--json"];
  const time = await timed(place, command, environment);
  const { status, iterations_used, proof } = JSON.parse(time.stdout);
  if (status !== "completed" || iterations_used !== 3) throw new Error(`${status} after ${iterations_used}`);
  if (proof?.method !== "clean-room") throw new Error(`not proved in a clean checkout: ${JSON.stringify(proof)}`);
  return time;
}

function shellLoop(place) {
  const loop = `set -e; for step in 1 2 3; do ${claudeCall('"$0"')}; done`;
  return timed(place, ["bash", "-c", loop, bundledClaude()]);
}

function claudeCall(program) {
  return `${program} -p "Write the file of the next step." --permission-mode acceptEdits --model ${MODEL}`;
}

function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The Claude Code that the SDK brings, the same that e8 uses. */
function bundledClaude() {
  const sdk = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  return sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}

/** Wall seconds. CPU seconds would not tell: a sandbox does not wait for what ran inside, so that its share is missing. */
export async function timed({ project, env }, command, environment = {}) {
  // Claude Code waits three seconds for a pipe that says nothing; at a terminal it has none.
  const script = 'TIMEFORMAT="%R"; time "$@" </dev/null 2>/dev/null';
  const options = { cwd: project, env: { ...env, ...environment } };
  const { stdout, stderr } = await execute("bash", ["-c", script, "bash", ...command], options);
  return { stdout, seconds: Number(stderr.trim().split("\n").at(-1)) };
}

/**
 * A home and a project of its own, and a model that has so many files written, one an iteration. Claude Code has run in that home
 * before, as in every user's: two that start at once in an empty one wait for each other to make its files.
 */
export async function inPlace(run, iterations = ITERATIONS) {
  usedFiles ??= await inEmptyHome(async (place) => {
    await shellLoop(place);
    const kept = await mkdtemp(join(tmpdir(), "e8-bench-home-"));
    process.once("exit", () => rmSync(kept, { recursive: true, force: true }));
    for (const name of CLAUDE_FILES) await cp(join(place.env.HOME, name), join(kept, name), { recursive: true });
    return kept;
  }, ITERATIONS);
  return inEmptyHome(async (place) => {
    await cp(usedFiles, place.env.HOME, { recursive: true });
    return run(place);
  }, iterations);
}

/** What Claude Code keeps in a home. */
const CLAUDE_FILES = [".claude", ".claude.json"];
/** A folder with these files of a home that was used. */
let usedFiles;
/** What a Node that can keep it (from 22.1 on) has compiled of e8 in an earlier start, as in every user's. */
const compiledBefore = mkdtempSync(join(tmpdir(), "e8-bench-compiled-"));
process.once("exit", () => rmSync(compiledBefore, { recursive: true, force: true }));

async function inEmptyHome(run, iterations) {
  const home = await mkdtemp(join(tmpdir(), "e8-bench-"));
  const model = await startScriptedModel(storyOf(iterations));
  try {
    const project = join(home, "project");
    await mkdir(project);
    await mkdir(join(home, "tmp"));
    const result = await run({ project, env: environmentFor(home, model.url) });
    const made = (await readdir(project)).filter((name) => name.startsWith("step-"));
    if (made.length !== iterations) throw new Error(`made ${made.join(", ") || "nothing"}`);
    return result;
  } finally {
    await model.close();
    await rm(home, { recursive: true, force: true });
  }
}

function environmentFor(home, url) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    TERM: "dumb",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    NODE_COMPILE_CACHE: compiledBefore,
  };
}

function taskFile({ criteria, ...more }) {
  const claude_options = { permission_mode: "acceptEdits" };
  return { task: TASK, criteria, agent_model: MODEL, claude_options, ...more };
}

/** Every conversation writes the next file; the judge accepts the last one. */
function storyOf(iterations) {
  const steps = Array.from({ length: iterations }, (_, index) => index + 1);
  const write = (step) => use("Write", { file_path: `step-${step}.txt`, content: `step ${step}\n` });
  const intake = { status: "accepted", task: "", criteria: [CRITERION], clarification_questions: [] };
  return {
    scenes: [
      scene("intake", answer(intake)),
      ...steps.flatMap((step) => [
        scene("executor", write(step), answer({ status: "success", output: `Wrote step ${step}.`, artifacts: [] })),
        scene("summarizer", answer({ approach: "Writing", reason: `Wrote the file of step ${step}.` })),
        scene("judge", judgment(step === iterations)),
      ]),
      scene("judge", judgment(true)), // the proof asks again
      scene("reviewer", answer({ findings: [], criteria: [QUOTED] })),
      // Scenes without a role come last, because they fit every role.
      ...steps.map((step) => scene({}, write(step), say(`Wrote step ${step}.`))),
    ],
  };
}

/** The reviewer's word on the criterion, with a line that the diff has. */
const QUOTED = { id: 1, is_met: true, file: "step-1.txt", line: 1, quote: "step 1", explanation: "It is there." };

function judgment(is_complete) {
  const evaluations = [{ id: 1, criterion: CRITERION, is_met: is_complete, evidence: "as summarized", confidence: 1 }];
  return answer({ is_complete, evaluations, overall_reason: "as summarized" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, seconds, ratio } of await measure(contenders, { rounds: Number(process.argv[2] ?? 9) }))
    console.log(`${what.padEnd(50)} ${seconds.toFixed(2)} s  ${ratio.toFixed(2)} x`);
}
