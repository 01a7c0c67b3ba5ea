import { z } from "zod";
import { apiModelOf } from "../../model/api-model.ts";
import {
  type AgentChoice,
  type Configuration,
  form,
  modelsFor,
  OWN_MODEL,
  type Worker,
} from "../../model/configuration.ts";
import { DEFAULTS } from "../../model/limits.ts";
import { Role } from "../../model/roles.ts";
import { answeringWorker, configurationFor, everyWorkerOf } from "../../model/workers.ts";
import type { Capabilities } from "../ports/agent.ts";
import { acpBackend, knownBackends } from "./acp/backend.ts";
import { knownAgentOf } from "./acp/program.ts";
import { apiBackend } from "./api/backend.ts";
import type { AgentNeed, Backend } from "./backend.ts";
import { claudeBackend } from "./claude/backend.ts";
import { commandBackend } from "./command/backend.ts";
import { scriptedBackend } from "./scripted/backend.ts";

/** Every kind of agent, by the name that `agent` in a task file has for it. */
export const backends = {
  claude: claudeBackend,
  api: apiBackend,
  command: commandBackend,
  ...knownBackends,
  acp: acpBackend(),
  scripted: scriptedBackend,
} satisfies Record<string, Backend>;

export type BackendName = keyof typeof backends;

/** Works where no agent is named, and answers in the roles that the named one cannot take. */
const DEFAULT_BACKEND: BackendName = DEFAULTS.agent;

export const DEFAULT_CHOICE: AgentChoice = DEFAULT_BACKEND;

/** What `agent` in a task file may be. */
export const agentChoice = z.union(Object.entries<Backend>(backends).flatMap(choicesOf)).meta(form("agent_choice"));

function choicesOf([name, { chosen_by }]: [string, Backend]): z.ZodType<AgentChoice>[] {
  if (chosen_by === undefined) return [];
  if (chosen_by === "name") return [z.literal(name)];
  if (chosen_by === "argument") return [z.strictObject({ [name]: z.string().trim().min(1) })];
  const { settings, is_named } = chosen_by;
  return [...(is_named ? [z.literal(name)] : []), z.strictObject({ [name]: settings })];
}

/** The backend that an agent's choice names, or that of the known agent whose program it starts. */
export function chosenBackend(choice: AgentChoice): BackendName {
  const [name = ""] = typeof choice === "string" ? [choice] : Object.keys(choice);
  if (name === "acp") return knownAgentOf(choice) ?? name;
  return isBackend(name) ? name : DEFAULT_BACKEND;
}

function isBackend(name: string): name is BackendName {
  return Object.hasOwn(backends, name);
}

export function capabilitiesOf(choice: AgentChoice): Capabilities {
  return backends[chosenBackend(choice)].capabilities;
}

/** Whether it is known what the agent must have in a sandbox that is closed otherwise. */
export function isOpenedInStrict(choice: AgentChoice): boolean {
  const backend: Backend = backends[chosenBackend(choice)];
  return backend.access !== undefined;
}

/** The configuration in which this worker is the only one. */
export function configurationOf(worker: Worker, preferred: Configuration): Configuration {
  const usual = capabilitiesOf(worker.agent).chooses_model ? OWN_MODEL : DEFAULTS.model;
  return configurationFor(worker, preferred, usual);
}

/** All that may work, the preferred one first: each with the configuration in which it is the only one. */
export function configurationsOf(configuration: Configuration): Configuration[] {
  const [, ...others] = everyWorkerOf(configuration);
  return [configuration, ...others.map((worker) => configurationOf(worker, configuration))];
}

/**
 * The configuration of the agent that answers in a role: where the preferred one cannot, that of the first of the others that can. The
 * models of the roles are then its models. Where none can, the default agent answers.
 */
export function configurationIn(role: Role, configuration: Configuration): Configuration {
  const worker = answeringWorker(configuration, (agent) => capabilitiesOf(agent).roles.includes(role));
  if (!worker || worker.agent === configuration.agent) return configuration;
  return { ...configuration, agent: worker.agent, fallbacks: [], escalate_to: null };
}

/** Who answers in a role: the vendor's API where the role's model names one, else this agent if it can, else the default one. */
export function backendFor(role: Role, model: string, agent: AgentChoice): BackendName {
  if (role !== "executor" && apiModelOf(model)) return "api";
  const chosen = chosenBackend(agent);
  const { roles } = backends[chosen].capabilities;
  return roles.includes(role) ? chosen : DEFAULT_BACKEND;
}

/** Several reviewers may need several backends. */
function backendsFor(role: Role, configuration: Configuration): BackendName[] {
  const { agent } = configurationIn(role, configuration);
  return modelsFor(role, configuration).map((model) => backendFor(role, model, agent));
}

/** Every backend with the roles that a run would ask it in, and once more for each worker that may take over. */
export function needsOf(asked: readonly Role[], need: Omit<AgentNeed, "roles">): [Backend, AgentNeed][] {
  const [, ...others] = asked.includes("executor") ? configurationsOf(need.configuration) : [];
  const ofPreferred = needsOfPreferred(asked, need);
  const ofOthers = others.map((configuration): [Backend, AgentNeed] => [
    backends[chosenBackend(configuration.agent)],
    { ...need, configuration, roles: ["executor"] },
  ]);
  const isKnown = ([backend, { configuration }]: [Backend, AgentNeed]) =>
    ofPreferred.some(
      ([one, own]) => one === backend && own.roles.length > 0 && own.configuration.agent === configuration.agent,
    );
  const known = ofPreferred.filter(
    ([backend, { roles }]) => roles.length > 0 || ofOthers.every(([other]) => other !== backend),
  );
  return [...known, ...ofOthers.filter((one) => !isKnown(one))];
}

/** Of a program, the roles are answered by another agent. */
function needsOfPreferred(
  asked: readonly Role[],
  { configuration, project, environment }: Omit<AgentNeed, "roles">,
): [Backend, AgentNeed][] {
  return Object.entries(backends).map(([name, backend]) => {
    const roles = Role.options.filter(
      (role) => asked.includes(role) && backendsFor(role, configuration).includes(name as BackendName),
    );
    const [role = "executor"] = name === "api" ? [] : roles;
    return [backend, { configuration: configurationIn(role, configuration), project, environment, roles }];
  });
}
