import { readParameters } from "../configuration/flow/parameters.ts";
import type { Flags } from "../configuration/task/flags.ts";
import { flowLayer } from "../configuration/task/layers.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute } from "../connection/files.ts";
import { findFlow } from "../connection/flows/flow-files.ts";
import { repositoryOf } from "../connection/git/project-name.ts";
import type { NewTask } from "../connection/ports/task-store.ts";
import { iterationLimit } from "../judgment/flow/completion.ts";
import type { Environment } from "../model/environment.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import type { LoopResult } from "../model/records.ts";
import type { Task, TaskId } from "../model/task.ts";
import { requireAcceptedFlow } from "./accepting.ts";
import { inPlace } from "./branch.ts";
import { loadDefinition } from "./definitions.ts";
import { definitionFiles } from "./flow-events.ts";
import { isWithoutModel, requireAgents } from "./requirements.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { storeOf } from "./store.ts";
import { type ConfiguredTask, configureWith } from "./tasks.ts";

export interface FlowRequest {
  project: string;
  /** The name of a flow under `.agent/`, the path of its directory, or a loaded definition. */
  flow: string | FlowDefinition;
  /** By parameter name. Texts from a command line are converted. */
  parameters: Readonly<Record<string, unknown>>;
  flags?: Flags | undefined;
  /** Standard input, for steps that use it. */
  stdin?: string | undefined;
  /** A story to play the model from, now and when the task is resumed. */
  script?: string | undefined;
  /** The issue of the backlog that it works on. */
  issue?: Task["issue"];
  /** Where an earlier task for it has left its work. */
  place?: Task["place"];
  named?: NewTask["named"];
  /** Workers on other machines run it, with their agents. */
  isOfFleet?: boolean;
}

const DEFAULT_ITERATIONS = 20;

/** Runs a flow. It is stored as a task, in `.e8/tasks/`. */
export async function* startFlow(
  request: FlowRequest,
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  if (request.script === undefined) return yield* begin(request, options);
  const { playing } = await import("./scripted.ts");
  const script = absolute(request.script);
  const outer = options.environment ?? process.env;
  return yield* playing(script, outer, (environment) => begin({ ...request, script }, { ...options, environment }));
}

async function* begin(request: FlowRequest, options: RunOptions): AsyncGenerator<EventEnvelope, LoopResult> {
  const { id, definition } = await createFlow(request, options);
  return yield* runIn({ store: storeOf(absolute(request.project)), id }, { is: "new", definition }, options);
}

/** A flow's settings, complete. */
export interface ConfiguredFlow extends ConfiguredTask {
  definition: FlowDefinition;
  parameters: Record<string, unknown>;
}

/** What would run. Throws what would keep it from running; nothing is stored. */
export async function configureFlow(request: FlowRequest, environment: Environment): Promise<ConfiguredFlow> {
  const project = absolute(request.project);
  const definition = await definitionOf(project, request.flow);
  const parameters = readParameters(definition, request.parameters);
  const maxIterations = iterationLimit(definition.agent.runner.completion, DEFAULT_ITERATIONS);
  const layers = {
    flags: request.flags,
    definition: flowLayer(definition.agent, { maxIterations }),
    is_without_model: isWithoutModel(definition),
    environment,
  };
  return { ...(await configureWith(layers, project)), definition, parameters };
}

/** Stores a flow as a task. Nothing runs yet. */
export async function createFlow(
  request: FlowRequest,
  options: RunOptions,
): Promise<{ id: TaskId; definition: FlowDefinition }> {
  const environment = options.environment ?? process.env;
  const { project, definition, parameters, configuration } = await configureFlow(request, environment);
  const { base } = configuration.worktree;
  const repository = request.isOfFleet
    ? await repositoryOf(project, { base, remote: configuration.finalize.remote })
    : undefined;
  if (!request.isOfFleet) await requireAgents({ configuration, project, environment }, definition);
  await requireAcceptedFlow(project, definition.directory, options);
  const flow = {
    name: definition.agent.name,
    directory: definition.directory,
    parameters,
    stdin: request.stdin ?? "",
    files: await definitionFiles(definition.directory),
  };
  const { script, issue, place, named } = request;
  const id = await storeOf(project).create({
    configuration: inPlace(configuration, place),
    ...{ now: systemClock.now(), flow, script, issue, place, named },
    ...(repository && { repository }),
  });
  return { id, definition };
}

async function definitionOf(project: string, flow: string | FlowDefinition): Promise<FlowDefinition> {
  return typeof flow === "string" ? await loadDefinition(await findFlow(project, flow)) : flow;
}
