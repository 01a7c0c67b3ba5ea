import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, scene, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Story } from "../../../src/connection/agents/scripted/model/story.ts";
import type { Agent, Expectation } from "../../../src/connection/ports/agent.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { countingClaude } from "../../support/counting-claude.ts";
import { eventually } from "../processes/helpers.ts";
import { assign, type ClaudeBox, claudeBox } from "./support.ts";

export const done = answer({ status: "done" });
const write = use("Write", { file_path: "made.txt", content: "made\n" });

export const WRITING: Story = { scenes: [{ ...scene("executor", write, done), repeat: true }] };

export async function warmBox(story = WRITING, before?: string) {
  const box = await claudeBox(story);
  return { ...box, ...(await countingClaude(box.home, before)) };
}
type WarmBox = Awaited<ReturnType<typeof warmBox>>;

export function expected(given: Partial<Expectation> = {}): Expectation {
  const { prompt: _, iteration: __, ...rest } = assign();
  return { ...rest, ...given };
}

export function alive(box: ClaudeBox): number[] {
  return [...processTable().carrying(`ENDLESS8_TASK=${box.task_token}`)];
}

/** Starts one and waits until it has read all that it reads at its start. */
export async function prepared(box: WarmBox, agent: Agent, given: Partial<Expectation> = {}): Promise<void> {
  agent.prepare?.(expected(given));
  await eventually("it is started", async () => (await box.starts()) === 1);
  await eventually("it is at rest", () => isAtRest(alive(box)));
}

async function isAtRest(pids: number[]): Promise<boolean> {
  const used = () => execFileSync("ps", ["-o", "time=,cputimes=", "-p", pids.join(",")], { encoding: "utf8" });
  const before = used();
  await sleep(1500);
  return before === used();
}

export const allowed = { allowed_tools: ["Write"] };
