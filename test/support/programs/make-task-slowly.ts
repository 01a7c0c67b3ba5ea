import { createTask } from "../../../src/connection/stores/files/create-task.ts";
import { configuration } from "../stored.ts";

/** Begins to make a task, says its id, and never ends: it is killed, or it is not. */
const [project = ""] = process.argv.slice(2);
const named = (id: string) => {
  console.log(JSON.stringify(id));
  return new Promise<void>(() => setInterval(() => {}, 60_000));
};
await createTask(project, { configuration: configuration(), now: new Date("2026-01-23T22:30:05.678+09:00"), named });
