import { E8Error } from "../model/errors.ts";
import type { AgentFile } from "../model/flow/agent-file.ts";
import { joined } from "../model/statement.ts";
import { type Layer, layerOf } from "./layer.ts";
import { modelProblem, withoutAnthropic } from "./model-names.ts";

/** What an agent's definition says about its runs, in the words of a task file. */
export function definitionLayer(agent: AgentFile, { maxIterations }: { maxIterations: number }): Layer {
  const { boundaries, flow } = agent.runner;
  const problem = modelProblem("models.executor", withoutAnthropic(flow.defaultModel));
  if (problem)
    throw new E8Error("agent_configuration", { message: joined(["runner.flow.defaultModel", problem], ": ") });
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
