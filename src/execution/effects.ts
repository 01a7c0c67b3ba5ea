import type { Clock } from "../connection/ports/clock.ts";
import { problemOf } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { Statement } from "../model/message.ts";
import type { EffectRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { haltIfAborted } from "./halt.ts";

/** One change outside the workspace, such as closing an issue. Applying it twice must be harmless. */
export interface Effect {
  /** The same in every run of the task: `issue/12/close`. */
  key: string;
  /** What it does, for people. */
  what: Statement;
  /** Whether the change is already there. */
  isDone(): Promise<boolean>;
  apply(): Promise<void>;
}

/** Where effects are recorded, and the state that the records fold to. */
export interface EffectLog {
  readonly state: Pick<RunState, "effects">;
  enter(record: EffectRecord): Promise<void>;
}

/** Applies the effects that are not done yet, in order. Throws the first failure, after recording it. */
export async function* applyEffects(
  effects: readonly Effect[],
  { clock, signal }: { clock: Pick<Clock, "now">; signal: AbortSignal },
  log: EffectLog,
): AsyncGenerator<RunEvent, void> {
  for (const effect of effects) {
    const before = log.state.effects[effect.key];
    if (before === "done") continue;
    const record = async (outcome: Pick<EffectRecord, "stage" | "problem">): Promise<RunEvent> => {
      const { key, what } = effect;
      await log.enter({ type: "effect", key, what, ...outcome, timestamp: clock.now().toISOString() });
      return { type: "effect", key, what, ...outcome };
    };
    haltIfAborted(signal);
    if (before !== "begun") yield await record({ stage: "begun" });
    try {
      // An earlier run may have been cut off between the change and its record.
      const isDone = before !== undefined && (await effect.isDone());
      if (!isDone) await effect.apply();
    } catch (error) {
      haltIfAborted(signal); // stays begun: the next run looks whether the change was made
      yield await record({ stage: "failed", problem: problemOf(error) });
      throw error;
    }
    yield await record({ stage: "done" });
  }
}
