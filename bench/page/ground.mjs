// A project with many tasks, and the dashboard of it as a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { configureTask } from "../../dist/compose/tasks.js";
import { fileStore } from "../../dist/connection/stores/files/file-store.js";
import { vaultPaths } from "../../dist/connection/stores/files/vault/registry.js";

export const TASKS = 1_000;
export const LIVE = 20;
export const ITERATIONS = 1_000;
export const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

/** `long`: an ended task of many iterations; `live`: those that runs will hold. What `start` starts ends with the ground. */
export async function groundOf(tasks = TASKS) {
  const home = await mkdtemp(join(tmpdir(), "e8-dashboard-"));
  process.env.XDG_STATE_HOME = join(home, "state");
  const project = join(home, "shop");
  await mkdir(project);
  const children = [];
  const start = (words, { stdio = ["ignore", "pipe", "inherit"], ...more } = {}) => {
    const child = spawn(process.execPath, words, { stdio, ...more });
    children.push(child);
    return child;
  };
  return {
    home,
    project,
    ...(await makeTasks(project, tasks)),
    start,
    dashboard: () => openDashboard(start([E8, "dashboard", "--no-open", "--port", "0", "-p", project])),
    close: async () => {
      for (const child of children) child.kill("SIGKILL");
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Ended tasks with a short history, one with a long one, and those that the runs will hold. */
async function makeTasks(project, count) {
  const { configuration } = await configureTask({ task: "Mend the cart", criteria: ["it works"] }, project, {});
  const store = fileStore(project);
  const start = Date.now() - count * 60_000;
  const ids = [];
  for (let number = 0; number < count; number += 1)
    ids.push(await store.create({ configuration, now: new Date(start + number * 60_000) }));
  const [long, ...others] = ids;
  const live = others.slice(-LIVE);
  const ended = others.slice(0, -LIVE);
  for (const id of ended) await writeHistory(project, id, 3);
  await writeHistory(project, long, ITERATIONS);
  return { long, live };
}

/** As runs write them, but without their flushes. */
async function writeHistory(project, id, iterations) {
  const directory = join(project, ".e8", "tasks", id);
  const lines = recordsOf(id, iterations).map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(directory, "history.jsonl"), lines.join(""));
  await writeFile(vaultPaths(project, id).history, lines.join(""));
  const events = [];
  for (let iteration = 1; iteration <= iterations; iteration += 1) events.push(...eventsOf(iteration));
  const text = events.map((event, index) => envelope(id, index + 1, event)).join("");
  await writeFile(join(directory, "events.jsonl"), text);
}

function envelope(task_id, seq, event) {
  return `${JSON.stringify({ v: 1, task_id, seq, at: at(seq), event })}\n`;
}

function at(second) {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}

function eventsOf(iteration) {
  const phases = ["execute", "check", "summarize", "judge"].map((phase) => ({ type: "phase-start", phase, iteration }));
  const said = { type: "tool-call", role: "executor", tool: "Bash", detail: "npm test ".repeat(20) };
  return [{ type: "iteration-start", iteration, max_iterations: 1000 }, ...phases, ...Array(10).fill(said)];
}

function recordsOf(task_id, iterations) {
  const usage = { tokens: 100, cost_usd: 0.01, seconds: 1 };
  const records = [];
  for (let iteration = 1; iteration <= iterations; iteration += 1) {
    const timestamp = at(iteration * 15);
    const reason = "The cart adds up again, but the second test still fails. ".repeat(8);
    records.push({
      type: "summary",
      iteration,
      approach: `approach ${iteration}`,
      result: "success",
      reason,
      timestamp,
    });
    const one = {
      id: 1,
      criterion: "it works",
      is_met: iteration === iterations,
      evidence: "x".repeat(400),
      confidence: 1,
    };
    const verdict = { is_complete: iteration === iterations, evaluations: [one], overall_reason: "not yet" };
    records.push({ type: "judgment", iteration, ...verdict, timestamp });
  }
  const ending = { status: "completed", stop_reason: "criteria_met", iterations_used: iterations, usage };
  const judged = { is_complete: true, evaluations: records.at(-1).evaluations, overall_reason: "done" };
  return [
    ...records,
    { type: "final_result", task_id, ...ending, final_judgment: judged, timestamp: at(iterations * 15) },
  ];
}

/** Enters as a browser does. */
async function openDashboard(child) {
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = new URL(/http:\S+/.exec(line)[0]);
  const entered = await ask(url, `${url.pathname}${url.search}`, "");
  const cookie = String(entered.headers["set-cookie"]).split(";")[0];
  return {
    pid: child.pid,
    origin: url.origin,
    cookie,
    json: async (path) => JSON.parse((await ask(url, path, cookie)).text),
    timed: async (path) => {
      const start = performance.now();
      const { text } = await ask(url, path, cookie);
      return { milliseconds: performance.now() - start, bytes: text.length };
    },
    follow: (path, heard) => follow(url, { path, cookie }, heard),
  };
}

function ask({ hostname, port }, path, cookie) {
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { cookie } }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ text, headers: response.headers });
    });
    sent.on("error", reject).end();
  });
}

function follow({ hostname, port }, { path, cookie }, heard) {
  const sent = request({ hostname, port, path, headers: { cookie } }, (response) => {
    const lines = createInterface({ input: response });
    lines.on("line", heard);
    lines.on("error", () => {}); // we leave
  });
  sent.on("error", () => {});
  sent.end();
  return sent;
}

export function percentile(values, share) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}
