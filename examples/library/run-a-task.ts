import { E8Error, run } from "endless8";

try {
  const result = await run(
    {
      task: "Write a friendly greeting into greeting.txt",
      criteria: ["The greeting is friendly", { type: "command", command: "test -s greeting.txt" }],
      max_iterations: 5,
      budget: { cost_usd: 2 },
    },
    { project: process.cwd() },
  );
  console.log(result.status, "after", result.iterations_used, "iteration(s)");
  for (const { criterion, is_met, evidence } of result.final_judgment?.evaluations ?? [])
    console.log(is_met ? "met:" : "not met:", criterion, "-", evidence);
  process.exitCode = result.status === "completed" ? 0 : 1;
} catch (error) {
  if (!(error instanceof E8Error)) throw error;
  console.error(error.code, error.message, error.hint); // nothing was started
  process.exitCode = 2;
}
