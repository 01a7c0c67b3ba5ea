import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptedAgentOptions } from "../../../src/connection/agents/scripted/conversation.ts";
import { answer, scene } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { scriptedAgent } from "./scripted-support.ts";
import { assign, hear } from "./support.ts";

export const DONE = answer({ status: "done" });
export const ALL = ["Bash", "Edit"];

/** Lets the executor play these turns in a directory of its own. */
export async function play(
  turns: Turn[],
  options: Partial<ScriptedAgentOptions> = {},
  files: Record<string, string> = {},
) {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const lines: string[] = [];
  const raw_log = async (_iteration: number, _role: string, line: string) => void lines.push(line);
  const settings = { working_directory: directory, allowed_tools: ALL, raw_log, ...options };
  const agent = scriptedAgent([scene("executor", ...turns)], settings);
  const heard = await hear(agent, assign());
  const messages = lines.map((line) => JSON.parse(line));
  const results = messages.flatMap(({ type, message }) => (type === "user" ? message.content : []));
  return { ...heard, directory, messages, results, read: (name: string) => readFile(join(directory, name), "utf8") };
}
