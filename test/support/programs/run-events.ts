import { createInterface } from "node:readline";
import { fileStore } from "../../../src/connection/stores/files/file-store.ts";

/** Holds a task as a run does: records what its stdin says and announces it, until that ends. */
const [project = "", id = ""] = process.argv.slice(2);

const task = await fileStore(project).open(id);
console.log(JSON.stringify({ held: true }));
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  if (event.type === "run-end") await task.history.append(event.result);
  console.log(JSON.stringify(await task.events.append(event)));
}
await task.release();
console.log(JSON.stringify({ held: false }));
