// `node bench/page.mjs`: the dashboard's page in a real Chromium, from a server in this process to the screen. Needs a build.
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import "../test/support/typescript-register.mjs";
import { milliseconds, tableOf } from "./table.mjs";

const BUILT = fileURLToPath(new URL("../dist/dashboard/", import.meta.url));
const PER_MINUTE = 10_000;
const BUSY_SECONDS = 30;

/** Notes when each event was on the screen: two frames after it came into the document. */
const WATCH_EVENTS = `
  window.seenAt = {};
  new MutationObserver(() => {
    const fresh = [...document.querySelectorAll("[data-seq]")].map((one) => one.dataset.seq).filter((seq) => !(seq in seenAt));
    for (const seq of fresh) seenAt[seq] = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => { for (const seq of fresh) seenAt[seq] ||= Date.now(); }));
  }).observe(document.querySelector(".stream"), { subtree: true, childList: true, attributes: true });
`;

/** Scrolls through a list and returns the longest time without a frame. */
const SCROLL = `new Promise((resolve) => {
  const scroller = document.querySelector(".scroller");
  let last = performance.now(), longest = 0;
  const step = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    scroller.scrollTop += 400;
    if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 5) resolve(longest);
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

export async function page() {
  const { chromiumHere, openBrowser } = await import("../test/support/page/browser.ts");
  const { fixtureServer } = await import("../test/support/page/server.ts");
  const { rowOf } = await import("../test/support/page/runs.ts");
  const program = await chromiumHere();
  if (!program) return [{ what: "the dashboard's page", value: "no Chromium" }];
  const server = await fixtureServer(BUILT);
  const browser = await openBrowser(program);
  const tab = await browser.context.newPage();
  const open = async (number, part, landmark) => {
    const { project, task_id } = rowOf(number);
    await tab.goto("about:blank");
    await tab.goto(`${server.address}#/task/${project}/${task_id}/${part}`);
    await tab.locator(landmark).first().waitFor();
  };
  try {
    const usable = await median(5, () => untilUsable(open, tab));
    await open(7, "timeline", ".iteration");
    const gap = await tab.evaluate(SCROLL);
    await open(0, "live", ".event");
    await tab.evaluate(WATCH_EVENTS);
    const calm = await delays({ server, tab, from: 1000, count: 100, every: 50 });
    const busy = await delays({
      server,
      tab,
      from: 2000,
      count: (PER_MINUTE / 60) * BUSY_SECONDS,
      every: 60_000 / PER_MINUTE,
    });
    return [
      milliseconds("page: a run of 1,000 iterations is usable after", usable, 1000),
      milliseconds("page: longest time without a frame while its timeline scrolls", gap, 1000),
      milliseconds("page: event to pixel, p95", percentile(calm, 0.95), 150),
      milliseconds("page: event to pixel at 10,000 events a minute, p95", percentile(busy, 0.95), 150),
      milliseconds("page: the same, in the last third", percentile(busy.slice(-busy.length / 3), 0.95), 150),
    ];
  } finally {
    await browser.close();
    await server.close();
  }
}

/** From the request for the page to its newest cell on the screen and its evidence beside it. */
async function untilUsable(open, tab) {
  await open(7, "overview", "#cell-1-1000");
  await tab.locator(".evidence pre").waitFor();
  return tab.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))",
  );
}

/** How long each event took that was seen; a list that follows the end may pass over some when many come at once. */
async function delays({ server, tab, from, count, every }) {
  const sent = new Map();
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    const due = began + index * every - performance.now();
    if (due > 1) await wait(due);
    const seq = from + index;
    sent.set(String(seq), Date.now());
    server.send({ seq, at: new Date().toISOString(), event: { type: "text", role: "executor", text: `event ${seq}` } });
  }
  await wait(1000);
  const seen = Object.entries(await tab.evaluate("seenAt"));
  const found = seen.filter(([seq, at]) => sent.has(seq) && at > 0).map(([seq, at]) => at - sent.get(seq));
  if (found.length < count * 0.9) throw new Error(`only ${found.length} of ${count} events came to the screen`);
  return found;
}

function percentile(values, share) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)];
}

async function median(rounds, one) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await one());
  return percentile(times, 0.5);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tableOf(await page()));
