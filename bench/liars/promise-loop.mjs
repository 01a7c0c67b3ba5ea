// A plain loop such as most programs of this kind are: it runs the worker until its output holds the promise.
import { join } from "node:path";
import { run } from "./play.mjs";

const LOOP = `for turn in 1 2 3 4 5; do
  echo "$TASK" | sh "$HOME/worker.sh" > "$HOME/output.txt" 2>&1
  if grep -q -F -e "$PROMISE" "$HOME/output.txt"; then exit 0; fi
done
exit 1`;

export async function promiseLoop({ home, project, env, promise }) {
  const settings = {
    cwd: project,
    env: { ...env, HOME: home, PROMISE: promise, TASK: `See ${join(home, "task.json")}` },
  };
  const { code } = await run("sh", ["-c", LOOP], settings);
  return { status: code === 0 ? "completed" : "max_iterations" };
}
