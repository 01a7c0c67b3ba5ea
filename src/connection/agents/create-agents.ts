import type { Assignment } from "../../model/agent.ts";
import { spelledAgent } from "../../model/agent-choice.ts";
import { type Configuration, modelsFor } from "../../model/configuration.ts";
import type { Agent, Expectation } from "../ports/agent.ts";
import type { Ports } from "../ports/run.ts";
import type { AgentSetup } from "./backend.ts";
import { claudeSettings } from "./claude/settings.ts";
import { behindDoor } from "./doors.ts";
import { type BackendName, backendFor, backends, capabilitiesOf, chosenBackend } from "./registry.ts";

/** Seconds of silence that the roles are allowed beside an agent that may be silent for hours: they only answer questions. */
const ROLE_SILENCE_SECONDS = 900;

/** The agents that a run asks: one for each way to be made, made when it is asked for the first time. */
export function createAgents(setup: Omit<AgentSetup, "silence_seconds" | "timeout_seconds">): Ports["agents"] {
  const { configuration } = setup;
  const { timeout } = claudeSettings(configuration);
  const made = new Map<string, Agent>();
  let ending: Promise<void> | undefined;
  const backendOf = ({ role, agent, model = modelsFor(role, configuration)[0] ?? "" }: Expectation) =>
    backendFor(role, model, agent ?? configuration.agent);
  const agentFor = (expected: Expectation): Agent => {
    const name = backendOf(expected);
    const { agent: choice = configuration.agent } = expected;
    const key = choice === configuration.agent ? name : `${name} ${spelledAgent(choice)}`;
    const silence_seconds = silenceOf(name, configuration);
    const own = { ...setup, configuration: { ...configuration, agent: choice } };
    const agent =
      made.get(key) ?? createdLater(() => backends[name].create({ ...own, silence_seconds, timeout_seconds: timeout }));
    made.set(key, agent);
    return agent;
  };
  const workOf = (assignment: Assignment): Agent["work"] => {
    const agent = agentFor(assignment);
    return setup.doors
      ? behindDoor(agent, backendOf(assignment), setup.doors)
      : (given, signal) => agent.work(given, signal);
  };
  const all: Agent = {
    work: (assignment, signal) => workOf(assignment)(assignment, signal),
    prepare: (expected) => agentFor(expected).prepare?.(expected),
    close: () => {
      ending ??= Promise.all([...made.values()].map((agent) => agent.close?.())).then(() => {});
      return ending;
    },
  };
  return { executor: all, roles: all };
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
    close: async () => void (await (await created)?.close?.()),
  };
}
