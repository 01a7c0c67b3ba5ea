import { giveUpFor, isAway, turnOf } from "../judgment/workers.ts";
import type { AgentFailure, Assignment } from "../model/agent.ts";
import { apiModelOf } from "../model/api-model.ts";
import { modelsFor } from "../model/configuration.ts";
import type { RunEvent } from "../model/events.ts";
import type { HistoryRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { preferredOf, type WorkerRecord, workerName } from "../model/workers.ts";
import type { RunContext } from "./run-context.ts";

/** The records of a run, as far as changes of the worker need them. */
export interface TurnLog {
  readonly state: RunState;
  enter(record: HistoryRecord): Promise<void>;
}

/** Records that another worker takes over, then announces it. */
export async function* changeWorker(
  { ports }: RunContext,
  log: TurnLog,
  about: Omit<WorkerRecord, "type" | "timestamp">,
): AsyncGenerator<RunEvent, void> {
  const change: WorkerRecord = { type: "worker", ...about, timestamp: ports.clock.now().toISOString() };
  await log.enter(change);
  yield { type: "worker-change", change };
}

/** While the preferred agent cannot be asked, the one that works in its place also takes the roles that it can, with its own models. */
export function standIn({ configuration, ports, turns }: RunContext): Pick<Assignment, "worker"> {
  const state = turns.log?.state;
  const now = ports.clock.now().getTime();
  const preferred = preferredOf(configuration);
  if (!state || !isAway(state, preferred, now)) return {};
  const { worker } = turnOf(configuration, state, now);
  return workerName(worker) === workerName(preferred) ? {} : { worker };
}

/** Whether another worker takes the roles over from one that met a limit in a role. A model over an API is no worker's. */
export async function* giveRolesAway(
  context: RunContext,
  failure: AgentFailure,
  { role, model, iteration }: Assignment,
): AsyncGenerator<RunEvent, boolean> {
  const { configuration, ports, turns } = context;
  const { log } = turns;
  if (!log || apiModelOf(model ?? modelsFor(role, configuration)[0] ?? "")) return false;
  const now = ports.clock.now().getTime();
  const asked = standIn(context).worker ?? preferredOf(configuration);
  const giveUp = giveUpFor(failure, now);
  if (!giveUp || isAway(log.state, asked, now)) return false;
  const from = workerName(asked);
  const away = { ...log.state.away, [from]: giveUp.until ?? null };
  const to = workerName(turnOf(configuration, { ...log.state, away }, now).worker);
  if (to === from) return false;
  yield* changeWorker(context, log, { iteration: Math.max(1, iteration), from, to, ...giveUp });
  return true;
}
