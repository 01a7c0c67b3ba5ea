import { type Observation, type ObservationNeed, observationsNeeded } from "../../judgment/flow/completion.ts";
import { type Criterion, criterionText, isCheck } from "../../model/criterion.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Evaluation, ExecutionSummary } from "../../model/records.ts";
import { WordedError, wordingOf } from "../../model/statement.ts";
import { Halt } from "../halt.ts";
import { judgeAlone } from "../judge.ts";
import type { RunContext } from "../run-context.ts";
import { evidenceFor } from "../texts.ts";
import { issueToClose } from "./boundary.ts";
import { announced } from "./conditions.ts";
import { externalStateOf, trackedBy } from "./external-state.ts";
import { criteriaIn, type FlowRun } from "./flow-run.ts";
import { answerOf, broken, loadFunction, modulePath } from "./modules.ts";
import { forJudge } from "./step-summary.ts";

/** What the flow itself knows about how it went. */
export type Seen = Omit<Observation, "external" | "closed_by_hook" | "custom" | "criteria">;

/** What was found out. */
export interface Observed {
  observation: Observation;
  /** How each criterion was judged, where the completion has criteria. */
  evaluations: Evaluation[];
  /** What a worker may know of the criteria that are not met. */
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
  const closed_by_hook = needed.external
    .filter(({ config }) => isClosedByHook(run, config, seen))
    .map(({ key }) => key);
  for (const { key, config } of needed.external)
    external[key] = closed_by_hook.includes(key) ? "CLOSED" : await externalStateOf(context, run, config);
  const custom: Record<string, boolean> = {};
  for (const need of needed.custom) custom[need.key] = await askHandler(context, run, { need, seen });
  const criteria: Record<string, boolean> = {};
  const evaluations: Evaluation[] = [];
  const remarks: string[] = [];
  for (const need of needed.criteria) {
    const goal = { task: run.definition.agent.description, criteria: criteriaIn(need.config.criteria ?? []) };
    yield* announced(goal.criteria.filter(isCheck).map(criterionText));
    const judgment = yield* judgeAlone(context, goal, forJudge(summary));
    criteria[need.key] = judgment.is_complete;
    evaluations.push(...judgment.evaluations);
    remarks.push(...remarksOn(judgment.evaluations, goal.criteria, context));
  }
  return { observation: { ...seen, external, closed_by_hook, custom, criteria }, evaluations, remarks };
}

const REMARK_TOKENS = 2_000;

function remarksOn(evaluations: readonly Evaluation[], criteria: readonly Criterion[], { tell }: RunContext): string[] {
  const unmet = evaluations.filter((evaluation) => !evaluation.is_met);
  return unmet.map(
    (evaluation) => `- ${evaluation.criterion}: ${evidenceFor(criteria, evaluation, { tell, tokens: REMARK_TOKENS })}`,
  );
}

/** The issue that our own boundary hook will close counts as closed here; after the hook, it is looked at. */
function isClosedByHook(run: FlowRun, config: ObservationNeed["config"], { terminal }: Seen): boolean {
  const tracked = trackedBy(run, config);
  return terminal && tracked?.kind === "issue" && tracked.number === issueToClose(run);
}

const NO_HANDLER = {
  en: "its default export gives no object with isComplete()",
  ja: "default export が isComplete() を持つオブジェクトを返しません",
};

interface Asked {
  need: ObservationNeed;
  seen: Seen;
}

/** A module's default-exported factory gives an object with `isComplete(seen)`: true, or `{ complete: true }`. */
async function askHandler(context: RunContext, run: FlowRun, { need: { config }, seen }: Asked): Promise<boolean> {
  const { handlerPath: path = "" } = config;
  const factory = await loadFunction(context, run, path);
  const ask = async () => {
    const handler = await factory(config, run.parameters);
    const isComplete = (handler as { isComplete?: unknown } | null | undefined)?.isComplete;
    if (typeof isComplete !== "function") throw new WordedError(NO_HANDLER);
    return (await isComplete.call(handler, { ...seen, parameters: run.parameters })) as unknown;
  };
  const said = await answerOf(ask(), context).catch((error: unknown) => {
    throw error instanceof Halt ? error : broken(modulePath(run, path), wordingOf(error), error);
  });
  return said === true || (said as { complete?: unknown } | null | undefined)?.complete === true;
}
