import {
  type ExternalState,
  type Observation,
  type ObservationNeed,
  observationsNeeded,
} from "../../judgment/flow/completion.ts";
import type { StepAnswer } from "../../judgment/flow/structured-signal.ts";
import { type Criterion, criterionText, isCheck } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Handoff } from "../../model/flow/position.ts";
import { message } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { judgeAlone } from "../goal/judge.ts";
import { evidenceFor, indent } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { issueToClose } from "./boundary.ts";
import { externalStateOf, trackedBy } from "./external-state.ts";
import { announced, criteriaIn, type FlowRun } from "./flow-run.ts";
import { answerOf, broken, loadFunction, modulePath, orBroken } from "./modules.ts";
import { forJudge } from "./step-summary.ts";

/** What the flow itself knows about its progress. A user's completion handler is handed all of it. */
export interface FlowProgress extends Pick<Observation, "iterations" | "checks" | "terminal"> {
  /** What the last step said, and its structured output. */
  texts: readonly string[];
  outputs: readonly unknown[];
  handoff: Handoff;
}

interface ObservationResult {
  observation: Observation;
  /** How each criterion was judged, where the completion has criteria. */
  evaluations: Evaluation[];
  /** Remarks on unmet criteria that a worker may read. */
  remarks: string[];
}

/** Gathers what the completion type decides on: states of the outside, answers of the user's own code, a judgment. */
export async function* observe(
  context: RunContext,
  run: FlowRun,
  { progress, summary, suspects }: { progress: FlowProgress; summary: ExecutionSummary; suspects: readonly string[] },
): AsyncGenerator<RunEvent, ObservationResult> {
  const needed = observationsNeeded(run.definition.agent.runner.completion);
  const external: Record<string, ExternalState> = {};
  const closed_by_hook = needed.external
    .filter(({ config }) => isClosedByHook(run, config, progress))
    .map(({ key }) => key);
  for (const { key, config } of needed.external)
    external[key] = closed_by_hook.includes(key)
      ? { state: "CLOSED", name: String(issueToClose(run)) }
      : await externalStateOf(context, run, config);
  const custom: Record<string, boolean> = {};
  for (const { key, config } of needed.custom) custom[key] = await askHandler(context, run, { config, progress });
  const criteria: Record<string, boolean> = {};
  const evaluations: Evaluation[] = [];
  const remarks: string[] = [];
  for (const { key, config } of needed.criteria) {
    const goal = { task: run.definition.agent.description, criteria: criteriaIn(config.criteria ?? []) };
    yield* announced(goal.criteria.filter(isCheck).map(criterionText));
    const judgment = yield* judgeAlone(context, goal, { summary: forJudge(summary), suspects });
    criteria[key] = judgment.is_complete;
    evaluations.push(...judgment.evaluations);
    remarks.push(...remarksOn(judgment.evaluations, goal.criteria, context));
  }
  const { iterations, checks, terminal } = progress;
  const said = needed.words ? await wordsOf(context) : { texts: [], answers: [] };
  const observation = { iterations, checks, terminal, ...said, external, closed_by_hook, custom, criteria };
  return { observation, evaluations, remarks };
}

/** What the steps have said since the flow began, resumed runs included. */
async function wordsOf({ ports }: RunContext): Promise<Pick<Observation, "texts" | "answers">> {
  const texts: string[] = [];
  const answers = new Map<string, StepAnswer>();
  for await (const record of ports.store.history.records()) {
    if (record.type !== "summary" || !record.flow || record.result === "error") continue;
    const { step_id, text, output } = record.flow;
    texts.push(text);
    answers.set(step_id, { text, output });
  }
  return { texts, answers: [...answers.values()] };
}

const REMARK_TOKENS = 2_000;

function remarksOn(evaluations: readonly Evaluation[], criteria: readonly Criterion[], { tell }: RunContext): string[] {
  const unmet = evaluations.filter((evaluation) => !evaluation.is_met);
  return unmet.map(
    (evaluation) =>
      `- ${evaluation.criterion}:\n${indent(evidenceFor(criteria, evaluation, { tell, tokens: REMARK_TOKENS }))}`,
  );
}

/** The issue that our own boundary hook will close counts as closed here; the hook itself confirms it. */
function isClosedByHook(run: FlowRun, config: ObservationNeed["config"], { terminal }: FlowProgress): boolean {
  const tracked = trackedBy(run, config);
  return terminal && tracked?.kind === "issue" && tracked.number === issueToClose(run);
}

/** A module's default-exported factory gives an object with `isComplete(progress)`: true, or `{ complete: true }`. */
async function askHandler(
  context: RunContext,
  run: FlowRun,
  { config, progress }: { config: ObservationNeed["config"]; progress: FlowProgress },
): Promise<boolean> {
  const { handlerPath: path = "" } = config;
  const place = modulePath(run, path);
  const factory = await loadFunction(context, run, path);
  const ask = async (): Promise<unknown> => {
    const handler = await factory(config, run.parameters);
    const isComplete = (handler as { isComplete?: unknown } | null | undefined)?.isComplete;
    if (typeof isComplete !== "function") throw broken(place, message("module_without_handler", {}));
    return await isComplete.call(handler, { ...progress, parameters: run.parameters });
  };
  const said = orBroken(await answerOf(ask, context), place);
  return said === true || (said as { complete?: unknown } | null | undefined)?.complete === true;
}
