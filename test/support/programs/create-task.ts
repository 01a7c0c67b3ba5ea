import { createTask } from "../../../src/connection/stores/files/create-task.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { configuration } from "../stored.ts";

/** Creates a task with a long text, and says how it went. */
const [project = ""] = process.argv.slice(2);

try {
  const task = { configuration: configuration({ task: "long ".repeat(10_000) }), now: new Date() };
  const id = await createTask(project, task);
  console.log(JSON.stringify({ id }));
} catch (error) {
  if (!(error instanceof E8Error)) throw error;
  console.log(JSON.stringify({ code: error.code }));
}
