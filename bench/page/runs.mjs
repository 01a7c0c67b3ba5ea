// Stands for the runs that a dashboard shows: holds tasks open, and tells events as it is asked on standard input: `flood <seconds>`.
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { storeOf } from "../../dist/compose/store.js";

const [project, ...ids] = process.argv.slice(2);
const store = storeOf(project);
const open = [];
for (const id of ids) {
  const task = await store.open(id);
  await task.events.append({ type: "iteration-start", iteration: 1, max_iterations: 10 });
  await task.events.append({ type: "phase-start", phase: "execute", iteration: 1 });
  open.push(task);
}
console.log("ready");

/** As a talkative agent tells them. */
const PER_SECOND = 10_000 / 60;

for await (const line of createInterface({ input: process.stdin })) {
  const [word, seconds] = line.split(" ");
  if (word !== "flood") break;
  const start = performance.now();
  for (let count = 0; performance.now() - start < Number(seconds) * 1000; ) {
    for (const due = ((performance.now() - start) / 1000) * PER_SECOND; count < due; count += 1)
      await open[0].events.append({ type: "text", role: "executor", text: "word ".repeat(40) });
    await sleep(3);
  }
  console.log("flooded");
}
for (const task of open) await task.release();
