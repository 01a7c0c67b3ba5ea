import { readParameters } from "../configuration/agents/parameters.ts";
import { definitionLayer } from "../configuration/definition-layer.ts";
import type { Flags } from "../configuration/flags.ts";
import { findAgent } from "../connection/agent-files.ts";
import { capabilitiesOf } from "../connection/agents/registry.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute } from "../connection/files.ts";
import { createTask } from "../connection/stores/create-task.ts";
import { iterationLimit } from "../judgment/flow/completion.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { message } from "../model/message.ts";
import type { LoopResult } from "../model/records.ts";
import { definitionFiles } from "./definition-changes.ts";
import { loadDefinition } from "./definitions.ts";
import { requireAgents } from "./require-agents.ts";
import { type RunOptions, runIn } from "./run-in.ts";
import { configureWith } from "./tasks.ts";

export interface AgentRequest {
  project: string;
  /** The name of an agent under `.agent/`, the path of its directory, or a definition that was loaded from one. */
  agent: string | FlowDefinition;
  /** By parameter name, as given: texts from a command line are converted. */
  parameters: Readonly<Record<string, unknown>>;
  flags?: Flags | undefined;
  /** What was piped in, for steps that use it. */
  stdin?: string | undefined;
  /** A story to play the model from, now and when the task is resumed. */
  script?: string | undefined;
}

const DEFAULT_ITERATIONS = 20;

/** Runs an agent made of steps: a task like any other, in `.e8/tasks/`, on another course. */
export async function* startAgent(
  request: AgentRequest,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  if (request.script === undefined) return yield* begin(request, options);
  const { playing } = await import("./scripted.ts");
  const script = absolute(request.script);
  const outer = options.environment ?? process.env;
  return yield* playing(script, outer, (environment) => begin({ ...request, script }, { ...options, environment }));
}

async function* begin(request: AgentRequest, options: RunOptions): AsyncGenerator<RunEvent, LoopResult> {
  const project = absolute(request.project);
  const definition = await definitionOf(project, request.agent);
  const parameters = readParameters(definition, request.parameters);
  const maxIterations = iterationLimit(definition.agent.runner.completion, DEFAULT_ITERATIONS);
  const layers = {
    flags: request.flags,
    definition: definitionLayer(definition.agent, { maxIterations }),
    environment: options.environment ?? process.env,
  };
  const { configuration } = await configureWith(layers, project);
  requireFlowAgent(configuration);
  await requireAgents({ configuration, project, environment: layers.environment }, definition);
  const agent = {
    name: definition.agent.name,
    directory: definition.directory,
    parameters,
    stdin: request.stdin ?? "",
    files: await definitionFiles(definition.directory),
  };
  const { script } = request;
  const task = await createTask(project, { configuration, now: systemClock.now(), agent, script });
  return yield* runIn(task, { is: "new", definition }, options);
}

/** A step's boundaries hold only where tool calls can be refused, and its gate reads a structured answer. */
function requireFlowAgent({ agent }: Configuration): void {
  const { withholds_tools, structured_answers } = capabilitiesOf(agent);
  if (withholds_tools && structured_answers) return;
  throw new E8Error("agent_configuration", { message: message("agent_unfit_for_flow", {}) });
}

async function definitionOf(project: string, agent: string | FlowDefinition): Promise<FlowDefinition> {
  return typeof agent === "string" ? await loadDefinition(await findAgent(project, agent)) : agent;
}
