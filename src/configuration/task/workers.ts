import type { Worker } from "../../model/configuration.ts";
import { E8Error } from "../../model/errors.ts";
import { listed, message } from "../../model/message.ts";
import { workerName } from "../../model/workers.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { Layer, Setting } from "./layer.ts";

/**
 * A layer with `agents` as the preferred agent and its fallbacks, and `escalate_to` as an agent with its model. One agent alone has no
 * fallbacks, so it replaces the list of a lower layer. A model beside the first agent is the executor's.
 */
export function withWorkers(layer: Layer, { choice }: Pick<AgentSettings, "choice">): Layer {
  const settled = new Map(layer);
  const agents = take(settled, "agents");
  const agent = settled.get("agent");
  if (agents && agent) throw twice(agents, agent);
  if (agents) {
    const [first, ...others] = distinct(agents.value as WorkerValue[]);
    settled.set("agent", { ...agents, value: first?.agent });
    settled.set("fallbacks", { ...agents, value: others });
    if (first?.model && !settled.has("models.executor"))
      settled.set("models.executor", { ...agents, value: first.model });
  } else if (agent) settled.set("fallbacks", { ...agent, value: [] });
  const stronger = settled.get("escalate_to");
  if (stronger && stronger.value !== null) {
    const value = stronger.value as WorkerValue;
    const isModel = typeof value === "string" && !choice.safeParse(value).success;
    settled.set("escalate_to", { ...stronger, value: isModel ? { agent: null, model: value } : workerOf(value) });
  }
  return settled;
}

/** As it is written: an agent, or an agent with its model. */
type WorkerValue = Worker["agent"] | { agent: Worker["agent"]; model?: string };

function workerOf(value: WorkerValue): Worker {
  return isNested(value) ? { agent: value.agent, model: value.model ?? null } : { agent: value, model: null };
}

function isNested(value: WorkerValue): value is { agent: Worker["agent"]; model?: string } {
  return typeof value === "object" && "agent" in value;
}

function distinct(values: readonly WorkerValue[]): Worker[] {
  const workers = values.map(workerOf);
  const names = workers.map(workerName);
  return workers.filter((_, index) => names.indexOf(names[index] ?? "") === index);
}

function take(layer: Map<string, Setting>, path: string): Setting | undefined {
  const setting = layer.get(path);
  layer.delete(path);
  return setting;
}

function twice({ source }: Setting, agent: Setting): E8Error {
  const problem = message("agents_twice", {});
  if (source.startsWith("flag ")) return new E8Error("flag_invalid", { flag: agent.source.slice(5), problem });
  return new E8Error("configuration_invalid", {
    file: source.replace(/:\d+$/, ""),
    problems: listed([`  ${agent.source} agent: `, problem], ""),
  });
}
