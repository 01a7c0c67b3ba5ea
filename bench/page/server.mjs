// The dashboard's server: how soon an event is on its way to the page, and what it takes with many tasks. Without a browser.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { configureTask } from "../dist/compose/tasks.js";
import { fileStore } from "../dist/connection/stores/files/file-store.js";

const TASKS = 1_000;
const LIVE = 20;
const ITERATIONS = 1_000;
const FLOOD_SECONDS = 12;
const IDLE_SECONDS = 15;
const E8 = fileURLToPath(new URL("../bin/e8.js", import.meta.url));
const RUNS = fileURLToPath(new URL("dashboard-runs.mjs", import.meta.url));

export async function dashboard() {
  const home = await mkdtemp(join(tmpdir(), "e8-dashboard-"));
  process.env.XDG_STATE_HOME = join(home, "state");
  const project = join(home, "shop");
  await mkdir(project);
  const children = [];
  try {
    const { long, live } = await makeTasks(project);
    const runs = started(children, [RUNS, project, ...live], { stdio: ["pipe", "pipe", "inherit"] });
    const words = createInterface({ input: runs.stdout })[Symbol.asyncIterator]();
    await words.next();
    const { pid, page } = await openPage(
      started(children, [E8, "dashboard", "--no-open", "--port", "0", "-p", project]),
    );
    return await measured({ pid, page, runs, words, long, live });
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

function started(children, words, { stdio = ["ignore", "pipe", "inherit"] } = {}) {
  const child = spawn(process.execPath, words, { stdio });
  children.push(child);
  return child;
}

async function measured({ pid, page, runs, words, long, live }) {
  const list = await page.json("/api/tasks");
  const [{ project }] = list;
  const streams = [page.follow("/api/events", () => {})];
  const views = [];
  for (let round = 0; round < 5; round += 1) views.push(await page.timed(`/api/tasks/${project}/${long}`));
  const delays = [];
  const heard = (data) => {
    const [, sent] = /"text":"now (\d+) /.exec(data) ?? [];
    if (sent) delays.push(Date.now() - Number(sent));
  };
  streams.push(page.follow(`/api/tasks/${project}/${live[0]}/events?after=0`, heard));
  await sleep(1_000);
  runs.stdin.write(`flood ${FLOOD_SECONDS}\n`);
  await words.next();
  await sleep(1_000);
  const before = await cpuMilliseconds(pid);
  await sleep(IDLE_SECONDS * 1_000);
  const idle = (await cpuMilliseconds(pid)) - before;
  const memory = { most: await megabytes(pid, "VmHWM"), atRest: await megabytes(pid, "VmRSS") };
  for (const stream of streams) stream.destroy();
  runs.stdin.end();
  return rowsOf({ list, views, delays, memory, idle });
}

function rowsOf({ list, views, delays, memory, idle }) {
  const sorted = delays.toSorted((left, right) => left - right);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const view = views.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right)[2];
  const share = idle / (IDLE_SECONDS * 10);
  const what = `dashboard, ${list.length} tasks, ${LIVE} of them live`;
  return [
    {
      what: `event to the page's connection, p95, at 10,000 events a minute`,
      value: `${p95} ms`,
      reach: "≤ 100 ms",
      isReached: p95 <= 100,
      beside: `${delays.length} events, median ${sorted[Math.floor(sorted.length / 2)]} ms`,
    },
    {
      what: `${what}: memory, at its most`,
      value: `${memory.most.toFixed(0)} MB`,
      reach: "≤ 150 MB",
      isReached: memory.most <= 150,
      beside: `${memory.atRest.toFixed(0)} MB at rest`,
    },
    {
      what: `${what}: CPU while nothing happens`,
      value: `${share.toFixed(2)} %`,
      reach: "≤ 1 %",
      isReached: share <= 1,
    },
    {
      what: `a run's page of ${ITERATIONS} iterations, from the server`,
      value: `${view.toFixed(0)} ms`,
      reach: "≤ 500 ms",
      isReached: view <= 500,
      beside: `${(views[0].bytes / 1024).toFixed(0)} KB`,
    },
  ];
}

/** Ended tasks with a short history, one with a long one, and those that the runs will hold. */
async function makeTasks(project) {
  const { configuration } = await configureTask({ task: "Mend the cart", criteria: ["it works"] }, project, {});
  const store = fileStore(project);
  const start = Date.now() - TASKS * 60_000;
  const ids = [];
  for (let number = 0; number < TASKS; number += 1)
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
  const vault = await import("../dist/connection/stores/files/vault/registry.js");
  const lines = recordsOf(id, iterations).map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(directory, "history.jsonl"), lines.join(""));
  await writeFile(vault.vaultPaths(project, id).history, lines.join(""));
  const events = [];
  for (let iteration = 1; iteration <= iterations; iteration += 1)
    for (const event of eventsOf(iteration)) events.push(event);
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
async function openPage(child) {
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = new URL(/http:\S+/.exec(line)[0]);
  const entered = await ask(url, `${url.pathname}${url.search}`, "");
  const cookie = String(entered.headers["set-cookie"]).split(";")[0];
  const page = {
    json: async (path) => JSON.parse((await ask(url, path, cookie)).text),
    timed: async (path) => {
      const start = performance.now();
      const { text } = await ask(url, path, cookie);
      return { milliseconds: performance.now() - start, bytes: text.length };
    },
    follow: (path, heard) => follow(url, { path, cookie }, heard),
  };
  return { pid: child.pid, page };
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

/** `VmRSS`: what it has now; `VmHWM`: the most it ever had. */
async function megabytes(pid, name) {
  const found = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(await readFile(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0) / 1024;
}

/** The kernel counts in hundredths of a second. */
async function cpuMilliseconds(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await dashboard());
