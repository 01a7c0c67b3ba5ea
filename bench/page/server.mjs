// `node bench/page/server.mjs`: what the dashboard's server takes with many tasks. Without a browser; needs a build.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { groundOf, ITERATIONS, LIVE, percentile } from "./ground.mjs";

const FLOOD_SECONDS = 12;
const IDLE_SECONDS = 15;
const RUNS = fileURLToPath(new URL("runs.mjs", import.meta.url));

export async function dashboard() {
  const ground = await groundOf();
  try {
    const runs = ground.start([RUNS, ground.project, ...ground.live], { stdio: ["pipe", "pipe", "inherit"] });
    const words = createInterface({ input: runs.stdout })[Symbol.asyncIterator]();
    await words.next();
    return await measured(await ground.dashboard(), { ...ground, runs, words });
  } finally {
    await ground.close();
  }
}

async function measured(page, { runs, words, long, live }) {
  const list = await page.json("/api/tasks");
  const [{ project }] = list;
  const streams = [page.follow("/api/events", () => {})];
  const views = [];
  for (let round = 0; round < 5; round += 1) views.push(await page.timed(`/api/tasks/${project}/${long}`));
  streams.push(page.follow(`/api/tasks/${project}/${live[0]}/events?after=0`, () => {}));
  await sleep(1_000);
  runs.stdin.write(`flood ${FLOOD_SECONDS}\n`);
  await words.next();
  await sleep(1_000);
  const before = await cpuMilliseconds(page.pid);
  await sleep(IDLE_SECONDS * 1_000);
  const idle = (await cpuMilliseconds(page.pid)) - before;
  const memory = { most: await megabytes(page.pid, "VmHWM"), atRest: await megabytes(page.pid, "VmRSS") };
  for (const stream of streams) stream.destroy();
  runs.stdin.end();
  return rowsOf({ list, views, memory, idle });
}

function rowsOf({ list, views, memory, idle }) {
  const times = views.map(({ milliseconds }) => milliseconds);
  const view = percentile(times, 0.5);
  const share = idle / (IDLE_SECONDS * 10);
  const what = `dashboard, ${list.length} tasks, ${LIVE} of them live`;
  return [
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
