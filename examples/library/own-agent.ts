import { fileURLToPath } from "node:url";
import { run } from "endless8";

const agent = fileURLToPath(new URL("./agent.mjs", import.meta.url));

const result = await run(
  {
    task: "Write the answer into answer.txt",
    criteria: [{ type: "command", command: "grep -qx 42 answer.txt", description: "the answer is right" }],
    agent: { command: `node '${agent}'` },
  },
  { project: process.cwd() },
);
console.log(result.status, "after", result.iterations_used, "iterations, for", result.usage.cost_usd, "dollars");
