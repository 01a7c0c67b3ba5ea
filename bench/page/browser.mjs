// `node bench/page/browser.mjs`: the dashboard in a real Chromium, from the process of a run to the screen. Needs a build.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import "../../test/support/typescript-register.mjs";
import { milliseconds, tableOf } from "../table.mjs";
import { E8, groundOf, percentile } from "./ground.mjs";

const CALM = { count: 100, milliseconds: 5_000 };
const BUSY = { count: 5_000, milliseconds: 30_000 };
const TALKER = fileURLToPath(new URL("talker.mjs", import.meta.url));

/** Notes when each event was on the screen, two frames after it came into the document, and when its run had told it. One clock: this machine's. */
const WATCH_EVENTS = `
  window.seen = {};
  new MutationObserver(() => {
    const fresh = [...document.querySelectorAll("[data-seq]")].filter((one) => !(one.dataset.seq in seen));
    const times = fresh.map((one) => (seen[one.dataset.seq] = { told: Date.parse(one.querySelector("time").dateTime), text: one.textContent }));
    requestAnimationFrame(() => requestAnimationFrame(() => { for (const one of times) one.at ??= Date.now(); }));
  }).observe(document.querySelector(".live"), { subtree: true, childList: true, attributes: true });
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
  const { chromiumHere, openBrowser } = await import("../../test/support/page/browser.ts");
  const program = await chromiumHere();
  if (!program) return [{ what: "the dashboard's page", value: "no Chromium" }];
  const ground = await groundOf();
  const browser = await openBrowser(program);
  try {
    const dashboard = await ground.dashboard();
    const [name, value] = dashboard.cookie.split("=");
    await browser.context.addCookies([{ name, value, url: dashboard.origin }]);
    const tab = await browser.context.newPage();
    const [{ project }] = await dashboard.json("/api/tasks");
    const open = async (id, part, landmark) => {
      await tab.goto("about:blank");
      await tab.goto(`${dashboard.origin}/#/task/${project}/${id}/${part}`);
      await tab.locator(landmark).first().waitFor();
    };
    return [...(await longRun(ground, { tab, open })), ...(await liveRun(ground, { tab, open }))];
  } finally {
    await browser.close();
    await ground.close();
  }
}

async function longRun({ long }, { tab, open }) {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    await open(long, "overview", "#cell-1-1000");
    await tab.locator(".evidence pre").waitFor();
    times.push(await tab.evaluate(SHOWN));
  }
  await open(long, "timeline", ".iteration");
  return [
    milliseconds("page: a run of 1,000 iterations is usable after", percentile(times, 0.5), 1000),
    milliseconds("page: longest time without a frame while its timeline scrolls", await tab.evaluate(SCROLL), 1000),
  ];
}

/** Since the request for the page, when what is in the document now is on the screen. */
const SHOWN =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))";

/** A real run, whose worker talks. */
async function liveRun({ home, project, start }, { tab, open }) {
  const signal = join(home, "go");
  const rounds = [CALM, BUSY].flatMap((round) => [round.count, round.milliseconds]);
  const worker = [process.execPath, TALKER, signal, ...rounds].join(" ");
  const flags = ["--check", "false", "--agent-command", worker, "-n", "1", "--sandbox", "off", "--no-intake"];
  const run = start([E8, "run", "talk", ...flags, "--json-events", "-p", project]);
  const id = await taskOf(run);
  run.stdout.resume();
  await open(id, "live", ".event");
  await tab.evaluate(WATCH_EVENTS);
  const delays = [];
  for (const [number, { count, milliseconds: length }] of [CALM, BUSY].entries()) {
    await writeFile(`${signal}-${number}`, "");
    await sleep(length + 2_000);
    delays.push(delaysIn(await tab.evaluate("seen"), `round ${number},`, count));
  }
  const [calm, busy] = delays;
  const row = (what, found, beside = "") => ({ ...milliseconds(what, percentile(found, 0.95), 150), beside });
  return [
    row("event to pixel, from the run's process to the screen, p95", calm, `median ${percentile(calm, 0.5)} ms`),
    row(
      "event to pixel at 10,000 events a minute, p95",
      busy,
      `median ${percentile(busy, 0.5)} ms; ${busy.length} seen`,
    ),
    row("event to pixel, in the last third of them, p95", busy.slice((busy.length * 2) / 3)),
  ];
}

/** Of those that were seen: a list that follows the end may pass over some when many come at once. */
function delaysIn(seen, words, count) {
  const found = Object.values(seen).filter(({ text, at }) => text.includes(words) && at !== undefined);
  if (found.length < count * 0.9) throw new Error(`only ${found.length} of ${count} events came to the screen`);
  return found.map(({ told, at }) => at - told);
}

async function taskOf(run) {
  for await (const chunk of run.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    const [, id] = /"task_id":"([^"]+)"/.exec(chunk) ?? [];
    if (id) return id;
  }
  throw new Error("The run told nothing.");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tableOf(await page()));
