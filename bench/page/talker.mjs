// The worker of a run that is watched. Waits for the first argument to be a file, then says so many lines in so many milliseconds, twice.
import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const [signal, ...rounds] = process.argv.slice(2);
for (let number = 0; number * 2 < rounds.length; number += 1) {
  const [count, milliseconds] = rounds.slice(number * 2).map(Number);
  while (!existsSync(`${signal}-${number}`)) await sleep(20);
  const start = performance.now();
  for (let said = 0; said < count; said += 1) {
    const due = start + (said * milliseconds) / count - performance.now();
    if (due > 1) await sleep(due);
    console.log(`round ${number}, line ${said} ${"word ".repeat(20)}`);
  }
}
await sleep(60_000);
