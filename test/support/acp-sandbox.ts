import { join } from "node:path";
import { ACP_PROGRAM } from "../connection/agents/acp-support.ts";
import { quickSandbox } from "./in-process.ts";

/** A sandbox with the small ACP agent of the tests, which plays these acts in each role. */
export async function acpSandbox(roles: object) {
  const sandbox = await quickSandbox();
  await sandbox.write("script.json", JSON.stringify({ roles, diary: join(sandbox.home, "diary") }));
  const agent = { acp: { command: [process.execPath, ACP_PROGRAM, join(sandbox.project, "script.json")] } };
  return { ...sandbox, agent };
}

/** An act: the agent says this. */
export function say(answer: unknown) {
  return { say: typeof answer === "string" ? answer : JSON.stringify(answer) };
}

/** The end of an answer that reports its tokens. */
export function spent(tokens: number) {
  return { end: { usage: { totalTokens: tokens, inputTokens: tokens, outputTokens: 0 } } };
}

/** What a worker hands in. */
export const HANDED_IN = {
  status: "success",
  output: "It is written.",
  artifacts: ["a.txt"],
  semantic_metadata: { approach: "Wrote the file.", strategy_tags: ["write"], discoveries: [] },
};
