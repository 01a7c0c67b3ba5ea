import { randomUUID } from "node:crypto";
import type { ScriptedAgentOptions } from "../../../src/connection/agents/scripted/conversation.ts";
import type { Scene } from "../../../src/connection/agents/scripted/model/story.ts";
import { createScriptedAgent } from "../../../src/connection/agents/scripted/scripted-agent.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import { teller } from "../../../src/texts/tell.ts";
import { TURNS } from "./support.ts";

/** An agent that plays these scenes. Without a working directory of its own it must not write. */
export function scriptedAgent(scenes: Scene[], options: Partial<ScriptedAgentOptions> = {}): Agent {
  const { working_directory = "/nonexistent" } = options;
  return createScriptedAgent({
    story: { scenes },
    file: "story.yaml",
    project: working_directory,
    working_directory,
    environment: { PATH: process.env.PATH, CLAUDE_CODE_MAX_RETRIES: "0" },
    task_token: randomUUID(),
    models: { intake: "m", executor: "m", summarizer: "m", judge: "m", reviewer: "m" },
    allowed_tools: [],
    permission_mode: "dontAsk",
    max_turns: TURNS,
    timeout_seconds: 100,
    silence_seconds: 60,
    tell: teller("en"),
    ...options,
  });
}
