import { asksWorkspace } from "../../judgment/flow/asks-workspace.ts";
import { isByBudget, type ObservationNeed, observationsNeeded } from "../../judgment/flow/completion.ts";
import { isCheck } from "../../model/criterion.ts";
import type { CompletionStep } from "../../model/flow/steps-registry.ts";
import type { ExecutionSummary, JudgmentRecord } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import type { Goal } from "../goal/goal.ts";
import { commandsIn } from "../proof/check-scripts.ts";
import type { Claim } from "../proof/claim.ts";
import type { RunContext } from "../run-context.ts";
import { isOfFiles } from "./external-state.ts";
import { FlowChecks } from "./flow-checks.ts";
import { flowDemand } from "./flow-demand.ts";
import { conditionedSteps, conditionsOf, criteriaIn, type FlowRun } from "./flow-run.ts";
import type { Condition, ConditionOutcome } from "./validators.ts";

/** A condition that has held, and the closure step that has it. */
export interface ClaimedCondition {
  closure: string;
  condition: Condition;
  onFailure: CompletionStep["onFailure"];
  /** The number of its evaluation. */
  id: number;
}

/** A group of criteria that has held; its evaluations are numbered after `offset`. */
interface ClaimedCriteria extends Goal {
  offset: number;
}

interface ClaimedState extends ObservationNeed {
  id: number;
}

/** All that has completed a flow and can be shown once more. */
export interface ClaimedParts {
  conditions: ClaimedCondition[];
  criteria: ClaimedCriteria[];
  /** Files, commands, issues and pull requests whose state was waited for. */
  states: ClaimedState[];
}

/** The work and the judgment that calls it complete. */
export interface ClaimedWork {
  summary: ExecutionSummary;
  judgment: JudgmentRecord;
}

/**
 * Keywords, signals and counts say nothing about the files, and neither does a budget that is used up: there is nothing to prove
 * about them.
 */
export function claimedIn(run: FlowRun, { judgment }: Pick<ClaimedWork, "judgment">): ClaimedParts | undefined {
  const isClosing = judgment.flow?.intent === "closing";
  if (isByBudget(judgment) && !isClosing) return undefined;
  const { registry, agent } = run.definition;
  const closures = isClosing ? [judgment.flow?.step_id ?? ""] : Object.keys(registry.completionSteps);
  const conditions = numberedConditions(run, closures);
  const needed = observationsNeeded(agent.runner.completion);
  let judged = conditionsOf(run, closures).length;
  let count = conditions.length;
  const criteria = needed.criteria.flatMap(({ config }) => {
    const all = criteriaIn(config.criteria ?? []);
    const own = judgment.evaluations.slice(judged, judged + all.length);
    judged += all.length;
    if (!own.every(({ is_met }) => is_met)) return []; // in a composite they need not be met
    const offset = count;
    count += all.length;
    return [{ task: agent.description, criteria: all, offset }];
  });
  const states = needed.external
    .filter((need) => wasReached(need, judgment))
    .map((need, index) => ({ ...need, id: count + index + 1 }));
  const isAboutFiles = conditions.length + criteria.length > 0 || states.some(({ config }) => isOfFiles(config));
  return isAboutFiles ? { conditions, criteria, states } : undefined;
}

/** The conditions of closure steps, but not those that may fail. */
export function numberedConditions(run: FlowRun, closures: readonly string[]): ClaimedCondition[] {
  const strict = conditionedSteps(run, closures).filter(([, { onFailure }]) => onFailure.action !== "skip");
  const all = strict.flatMap(([closure, { completionConditions, onFailure }]) =>
    completionConditions.map((condition) => ({ closure, condition, onFailure })),
  );
  return all.map((one, index) => ({ ...one, id: index + 1 }));
}

function wasReached({ config }: ObservationNeed, { reasons = [] }: JudgmentRecord): boolean {
  const { resourceType = "issue" } = config;
  return reasons.some(({ code, params }) => code === "state_reached" && params.resource === resourceType);
}

/** The claim of a flow, and the conditions that did not hold when they were checked again. */
export interface FlowClaim extends Claim {
  failed: (ClaimedCondition & { outcome: ConditionOutcome })[];
}

export function flowClaim(context: RunContext, run: FlowRun, work: ClaimedWork, parts: ClaimedParts): FlowClaim {
  const { before = {} } = context.ports.store.task;
  const checks = new FlowChecks(context, run, { ...work, parts });
  const commands = commandsOf(run, parts);
  const hasSentences =
    parts.conditions.some(
      ({ condition }) => run.definition.registry.validators[condition.validator]?.type === "semantic",
    ) || parts.criteria.some(({ criteria }) => !criteria.every(isCheck));
  return {
    demand: flowDemand(context, run, { parts, filled: (one) => checks.sentenceOf(one) }),
    commands,
    rests_on_tests: commands.length > 0 || hasSentences,
    needs_room: hasRoomWork(run, parts),
    failed: checks.failed,
    before: ({ criterion }) => before[criterion] ?? null,
    check: (iteration, place, only) => checks.check(iteration, place, only),
    ...(hasSentences && { judge: (iteration, evaluations) => checks.judge(iteration, evaluations) }),
  };
}

function hasRoomWork(run: FlowRun, { conditions, criteria, states }: ClaimedParts): boolean {
  const { validators } = run.definition.registry;
  const isMovable = ({ condition }: ClaimedCondition) => {
    const validator = validators[condition.validator];
    return validator !== undefined && validator.type !== "semantic" && !asksWorkspace(validator);
  };
  return (
    conditions.some(isMovable) ||
    criteria.some((goal) => goal.criteria.some(isCheck)) ||
    states.some(({ config }) => isOfFiles(config))
  );
}

/** The commands that run in a clean checkout. */
function commandsOf(run: FlowRun, { conditions, criteria, states }: ClaimedParts): string[] {
  return [
    ...conditions.flatMap(({ condition }) => commandOf(run, condition)),
    ...criteria.flatMap((goal) => commandsIn(goal.criteria)),
    ...states.flatMap(({ config }) => (config.resourceType === "command" && config.command ? [config.command] : [])),
  ];
}

export function commandOf({ definition }: FlowRun, { validator }: Condition): string[] {
  const found = definition.registry.validators[validator];
  return found?.type === "command" && found.command !== undefined && !asksWorkspace(found) ? [found.command] : [];
}

/** The work that was judged complete, where a proof can show more about it. */
export function provable(
  run: FlowRun,
  { summary, judgment }: RunState,
): (ClaimedWork & { parts: ClaimedParts }) | undefined {
  if (!summary || !judgment?.is_complete) return undefined;
  const parts = claimedIn(run, { judgment });
  return parts && { summary, judgment, parts };
}
