import type { AgentFile } from "../model/definition/agent-file.ts";
import { type Layer, layerOf } from "./layer.ts";

/** What an agent's definition says about its runs, in the words of a task file. */
export function definitionLayer(agent: AgentFile, { maxIterations }: { maxIterations: number }): Layer {
  const { boundaries, flow } = agent.runner;
  const settings = {
    task: `${agent.displayName}: ${agent.description}`,
    criteria: [],
    intake: false,
    max_iterations: maxIterations,
    stall_limit: null, // steps that only read change no file and still get somewhere
    ...(flow.defaultModel && { models: { executor: flow.defaultModel } }),
    claude_options: { allowed_tools: [...boundaries.allowedTools], permission_mode: boundaries.permissionMode },
  };
  return layerOf(settings, () => "agent.json");
}
