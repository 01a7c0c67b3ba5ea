import { type Observation, type ObservationNeed, observationsNeeded } from "../../judgment/flow/completion.ts";
import { Criterion, CriterionInput } from "../../model/criterion.ts";
import type { RunEvent } from "../../model/events.ts";
import type { ExecutionSummary, Judgment } from "../../model/records.ts";
import { judgeCriteria } from "../judge.ts";
import type { RunContext } from "../run-context.ts";
import { closesIssue } from "./boundary-plan.ts";
import { externalStateOf } from "./external-state.ts";
import type { FlowRun } from "./flow-run.ts";

/** What the flow itself knows about how it went. */
export type Seen = Omit<Observation, "external" | "custom" | "criteria">;

/** What was found out, and what a worker should be told about it when it is not enough. */
export interface Observed {
  observation: Observation;
  remarks: string[];
}

/** Gathers what the completion type decides on: states of the outside, answers of the user's own code, a judgment. */
export async function* observe(
  context: RunContext,
  run: FlowRun,
  { seen, summary }: { seen: Seen; summary: ExecutionSummary },
): AsyncGenerator<RunEvent, Observed> {
  const needed = observationsNeeded(run.definition.agent.runner.completion);
  const external: Record<string, string> = {};
  for (const need of needed.external) external[need.key] = await expectedState(context, run, { need, seen });
  const custom: Record<string, boolean> = {};
  for (const need of needed.custom) custom[need.key] = await askHandler(run, need, seen);
  const criteria: Record<string, boolean> = {};
  const remarks: string[] = [];
  for (const need of needed.criteria) {
    const judgment = yield* judgeCriteria(
      context,
      { task: run.definition.agent.description, criteria: criteriaOf(need) },
      summary,
    );
    criteria[need.key] = judgment.is_complete;
    remarks.push(...unmet(judgment));
  }
  return { observation: { ...seen, external, custom, criteria }, remarks };
}

/** The issue that our own boundary hook will close counts as closed here; after the hook, it is looked at. */
async function expectedState(
  context: RunContext,
  run: FlowRun,
  { need, seen }: { need: ObservationNeed; seen: Seen },
): Promise<string> {
  const resourceType = need.config.resourceType ?? "issue";
  const isOurs = seen.terminal && /issue/i.test(resourceType) && closesIssue(run);
  return isOurs ? "CLOSED" : await externalStateOf(context, run, need.config);
}

function criteriaOf({ config }: ObservationNeed): Criterion[] {
  return (config.criteria ?? []).map((one) => Criterion.parse(CriterionInput.parse(one)));
}

function unmet({ evaluations }: Judgment): string[] {
  const missing = evaluations.filter((evaluation) => !evaluation.is_met);
  return missing.map(({ criterion, evidence }) => `- ${criterion}: ${evidence}`);
}

/** A module's default-exported factory gives an object with `isComplete(seen)`: true, or `{ complete: true }`. */
async function askHandler(run: FlowRun, { config }: ObservationNeed, seen: Seen): Promise<boolean> {
  const factory = await run.loadModule(`${run.definition.directory}/${config.handlerPath ?? ""}`);
  const handler: unknown = typeof factory === "function" ? await factory(config, run.parameters) : undefined;
  const isComplete = (handler as { isComplete?: unknown } | null | undefined)?.isComplete;
  if (typeof isComplete !== "function") return false;
  const said: unknown = await isComplete.call(handler, { ...seen, parameters: run.parameters });
  return said === true || (said as { complete?: unknown } | null)?.complete === true;
}
