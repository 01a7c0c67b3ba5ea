import { z } from "zod";
import { spelledAgent } from "./agent-choice.ts";
import { apiModelOf } from "./api-model.ts";
import { type AgentChoice, type Configuration, NO_MODEL, type Worker } from "./configuration.ts";
import { StatementRecord } from "./message-record.ts";

/**
 * Why another worker takes over. `limited`: its account is limited, or its model out of reach, for longer than the run waits.
 * `unavailable`: only the user can mend it. `failing`: it failed several times in a row. `stalled`: the run stood still, so the stronger
 * worker takes over. `back`: a worker that is preferred can be had again.
 */
export const WorkerChangeCause = z.enum(["limited", "unavailable", "failing", "stalled", "back"]);

/** Another worker takes over: from this iteration on, or for the rest of it where the one before gave no answer. */
export const WorkerRecord = z.object({
  type: z.literal("worker"),
  iteration: z.int().min(1),
  /** By their names. */
  from: z.string(),
  to: z.string(),
  cause: WorkerChangeCause,
  /** What the one before failed with. */
  reason: StatementRecord.optional(),
  /** When it can be asked again, where that is known. */
  until: z.string().optional(),
  timestamp: z.string(),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

export function workerName({ agent, model }: Worker): string {
  return model === null ? spelledAgent(agent) : `${spelledAgent(agent)} (${model})`;
}

/** The one that works while it can. */
export function preferredOf({ agent }: Pick<Configuration, "agent">): Worker {
  return { agent, model: null };
}

/** Those that work, the preferred one first. It uses the executor's model, which is its own; `model` is that of another one. */
export function workersOf({ agent, fallbacks }: Pick<Configuration, "agent" | "fallbacks">): Worker[] {
  return [{ agent, model: null }, ...fallbacks];
}

/** Who answers in the roles around the worker: the first of those in the list that can. Undefined: none of them. */
export function answeringWorker(
  configuration: Pick<Configuration, "agent" | "fallbacks">,
  answersRoles: (agent: AgentChoice) => boolean,
): Worker | undefined {
  return workersOf(configuration).find(({ agent }) => answersRoles(agent));
}

/** The one that takes over after a standstill. A model alone is one of the preferred agent. */
export function strongerOf({ agent, escalate_to }: Pick<Configuration, "agent" | "escalate_to">): Worker | undefined {
  return escalate_to ? { agent: escalate_to.agent ?? agent, model: escalate_to.model } : undefined;
}

/** All that may work, the preferred one first. */
export function everyWorkerOf(configuration: Pick<Configuration, "agent" | "fallbacks" | "escalate_to">): Worker[] {
  const stronger = strongerOf(configuration);
  return [...workersOf(configuration), ...(stronger ? [stronger] : [])];
}

/**
 * The configuration in which this worker is the only one. In roles, too, it uses a model of its own, the `usual` one of its agent, or one
 * over an API: a model of one agent is never that of another.
 */
export function configurationFor({ agent, model }: Worker, configuration: Configuration, usual: string): Configuration {
  const isSame = spelledAgent(agent) === spelledAgent(configuration.agent);
  const { models, judges, reviewers } = configuration;
  const own = model ?? usual;
  const theirs = (name: string) => (isSame || name === NO_MODEL || apiModelOf(name) ? name : own);
  return {
    ...configuration,
    agent,
    fallbacks: [],
    escalate_to: null,
    models: {
      intake: theirs(models.intake),
      executor: model ?? theirs(models.executor),
      summarizer: theirs(models.summarizer),
      judge: theirs(models.judge),
    },
    judges: judges.map(theirs),
    reviewers: reviewers.map(theirs),
  };
}
