// Bare jobs of BullMQ, each of which starts two processes, in a process that has nothing else: what it would hold besides makes every start of
// a process take longer. Told by its parent how many are to be done before it rests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createPostgresBackend, Queue, Worker } from "bullmq";

const [{ connection, processes, jobs, slots }] = await once(process, "message");
const queue = new Queue("bare", { connection }, createPostgresBackend);
await queue.waitUntilReady();
await queue.addBulk(Array.from({ length: jobs }, (_, index) => ({ name: "task", data: { index } })));

const settings = { connection, concurrency: slots, autorun: false };
const worker = new Worker("bare", startBoth, settings, createPostgresBackend);
worker.on("error", () => {});
let [done, wanted] = [0, jobs];
worker.on("completed", () => {
  done += 1;
  if (done >= wanted) void rest();
});
const running = worker.run();
await worker.pause();
process.on("message", go);
process.send({ done });

async function go({ until }) {
  if (until === undefined) {
    await worker.close();
    await running;
    await queue.close();
    process.disconnect();
    return;
  }
  wanted = until;
  if (done >= wanted) await rest();
  else worker.resume();
}

async function rest() {
  wanted = Number.POSITIVE_INFINITY;
  await worker.pause();
  process.send({ done });
}

async function startBoth() {
  for (const [command, ...args] of processes) {
    const child = spawn(command, args, { stdio: "pipe" });
    child.stdin.end();
    child.stdout.resume();
    child.stderr.resume();
    await once(child, "close");
  }
}
