import process from "node:process";
import { runGit } from "./git.ts";
import type { HelperAnswer, HelperQuestion } from "./git-helper.ts";

/** The helper's own program: it asks git what it is sent, and ends with the process that started it. A git that is at work ends by itself. */
process.on("message", async ({ number, args, question }: HelperQuestion) => {
  const answer: HelperAnswer = { number, answer: await runGit(args, question) };
  if (process.connected) process.send?.(answer);
});
process.on("disconnect", () => process.exit());
