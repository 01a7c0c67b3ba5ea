import { stream } from "endless8";

const controller = new AbortController();
process.once("SIGINT", () => controller.abort()); // the run winds down and can be resumed

const events = stream(
  {
    task: "Write three lines about this project into NOTES.md",
    criteria: [{ type: "command", command: 'test "$(grep -c . NOTES.md)" -eq 3', description: "three lines" }],
  },
  { project: process.cwd(), signal: controller.signal },
);

for await (const event of events) {
  if (event.type === "iteration-start") console.log(`iteration ${event.iteration} of ${event.max_iterations}`);
  if (event.type === "tool-call") console.log(`  uses ${event.tool}: ${event.detail}`);
  if (event.type === "check-end") console.log(`  check ${event.evaluation.is_met ? "passed" : "failed"}`);
  if (event.type === "run-end") console.log(event.result.status);
}
