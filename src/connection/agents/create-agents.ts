import type { Assignment } from "../../model/agent.ts";
import { spelledAgent } from "../../model/agent-choice.ts";
import { apiModelOf } from "../../model/api-model.ts";
import { type AgentChoice, type Configuration, modelsFor, type Worker } from "../../model/configuration.ts";
import { workerName } from "../../model/workers.ts";
import type { Agent, Expectation } from "../ports/agent.ts";
import type { Agents } from "../ports/run.ts";
import type { AgentSetup } from "./backend.ts";
import { claudeSettings } from "./claude/settings.ts";
import { behindDoor } from "./doors.ts";
import {
  type BackendName,
  backendFor,
  backends,
  capabilitiesOf,
  chosenBackend,
  configurationIn,
  configurationOf,
} from "./registry.ts";

/** Seconds of silence that the roles are allowed beside an agent that may be silent for hours: they only answer questions. */
const ROLE_SILENCE_SECONDS = 900;

/** The agents that a run asks: one for each way to be made, made when it is asked for the first time. */
export function createAgents(setup: Omit<AgentSetup, "silence_seconds" | "timeout_seconds">): Agents {
  const made = new Map<string, Agent>();
  let ending: Promise<void> | undefined;
  const chosenFor = (expected: Expectation) => chosen(expected, setup.configuration);
  const agentFor = (expected: Expectation): Agent => {
    const { name, configuration, worker } = chosenFor(expected);
    const key = `${name} ${worker}`;
    const silence_seconds = silenceOf(name, setup.configuration);
    const { timeout: timeout_seconds } = claudeSettings(configuration);
    const own = { ...setup, configuration, silence_seconds, timeout_seconds };
    const agent = made.get(key) ?? createdLater(() => backends[name].create(own));
    made.set(key, agent);
    return agent;
  };
  const workOf = (assignment: Assignment): Agent["work"] => {
    const agent = agentFor(assignment);
    const { account, worker } = chosenFor(assignment);
    const work = setup.doors ? behindDoor(agent, account, setup.doors) : agent.work.bind(agent);
    if (worker === "") return work;
    return async function* (given, signal) {
      const reply = yield* work(isForeign(given.worker, setup.configuration) ? ownModel(given) : given, signal);
      return { ...reply, answered_by: worker };
    };
  };
  const all: Agent = {
    work: (assignment, signal) => workOf(assignment)(assignment, signal),
    prepare: (expected) => agentFor(expected).prepare?.(expected),
    rest: (role) => {
      for (const agent of made.values()) agent.rest?.(role);
    },
    close: () => {
      ending ??= Promise.all([...made.values()].map((agent) => agent.close?.())).then(() => {});
      return ending;
    },
  };
  return { executor: all, roles: all, answererOf: (expected) => answererOf(expected, setup.configuration) };
}

export function answererOf(expected: Expectation, preferred: Configuration): string {
  const { name, asked, configuration, worker } = chosen(expected, preferred);
  if (worker !== "" || name === "api") return worker || asked;
  return chosenBackend(configuration.agent) === name ? spelledAgent(configuration.agent) : name;
}

function ownModel({ model: _, ...assignment }: Assignment): Assignment {
  return assignment;
}

/** The backend that answers, the model it is asked for, whose account it uses, and the configuration that it is made with: that of another worker is its own. */
function chosen({ role, model, worker }: Expectation, preferred: Configuration) {
  const isOverApi = role !== "executor" && apiModelOf(model ?? modelsFor(role, preferred)[0] ?? "") !== undefined;
  const takes = worker && !isOverApi && capabilitiesOf(worker.agent).roles.includes(role) ? worker : undefined;
  const usual = isOverApi ? preferred : configurationIn(role, preferred);
  const isForeigner = isForeign(takes, usual);
  const configuration = takes && (isForeigner || usual === preferred) ? configurationOf(takes, preferred) : usual;
  const asked = (isForeigner ? undefined : model) ?? modelsFor(role, configuration)[0] ?? "";
  const name = backendFor(role, asked, configuration.agent);
  const account = accountOf(name, asked, configuration.agent);
  return { name, asked, account, configuration, worker: takes ? workerName(takes) : "" };
}

/** Vendors have accounts of their own, and so have programs of one kind: a limit of one says nothing about another. */
function accountOf(name: BackendName, model: string, agent: AgentChoice): string {
  const { provider = "", base_url = "" } = (name === "api" && apiModelOf(model)) || {};
  if (name === "api") return `api ${provider} ${base_url}`;
  return chosenBackend(agent) === name ? spelledAgent(agent) : name;
}

/** A model that is named for the preferred agent means nothing to another one. */
function isForeign(worker: Worker | undefined, { agent }: Configuration): boolean {
  return worker !== undefined && spelledAgent(worker.agent) !== spelledAgent(agent);
}

/** Seconds; null: for ever. A program beside an agent of another kind may be silent, unless the user has set a limit. */
export function silenceOf(name: BackendName, { agent, silence_timeout }: Configuration): number | null {
  const isProgram = !backends[name].capabilities.roles.includes("judge") && name !== "api";
  if (isProgram && name !== chosenBackend(agent) && silence_timeout === ROLE_SILENCE_SECONDS) return null;
  const isAlike = name === chosenBackend(agent) || capabilitiesOf(agent).roles.includes("judge");
  return isAlike ? silence_timeout : (silence_timeout ?? ROLE_SILENCE_SECONDS);
}

function createdLater(create: () => Promise<Agent>): Agent {
  let created: Promise<Agent> | undefined;
  const agent = () => {
    created ??= create();
    return created;
  };
  return {
    async *work(assignment, signal) {
      return yield* (await agent()).work(assignment, signal);
    },
    prepare: (expected) => void agent().then((one) => one.prepare?.(expected)),
    rest: (role) => void created?.then((one) => one.rest?.(role)).catch(() => {}),
    close: async () => void (await (await created)?.close?.()),
  };
}
