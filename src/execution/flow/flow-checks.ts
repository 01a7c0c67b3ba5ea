import type { Place } from "../../connection/ports/workspace.ts";
import { asksWorkspace } from "../../judgment/flow/asks-workspace.ts";
import { isComplete } from "../../judgment/flow/completion.ts";
import { isCheck } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Judgment } from "../../model/records.ts";
import { fillTemplate } from "../../model/template.ts";
import { CheckRun } from "../goal/checks.ts";
import { judgeAfresh } from "../goal/judge.ts";
import type { CheckedAgain } from "../proof/claim.ts";
import type { RunContext } from "../run-context.ts";
import { evaluationOf } from "./completion-loop.ts";
import { externalStateOf, isOfFiles } from "./external-state.ts";
import type { ClaimedCondition, ClaimedParts, ClaimedWork } from "./flow-claim.ts";
import type { FlowRun } from "./flow-run.ts";
import { closureVariables } from "./step-prompt.ts";
import { forJudge } from "./step-summary.ts";
import { type ConditionOutcome, surelyRun } from "./validators.ts";

type Claimed = ClaimedWork & { parts: ClaimedParts };

/** Checks once more what has completed a flow. */
export class FlowChecks {
  readonly #context: RunContext;
  readonly #run: FlowRun;
  readonly #claimed: Claimed;
  readonly failed: (ClaimedCondition & { outcome: ConditionOutcome })[] = [];

  constructor(context: RunContext, run: FlowRun, claimed: Claimed) {
    this.#context = context;
    this.#run = run;
    this.#claimed = claimed;
  }

  /** All but the sentences, or only those of some numbers, the last one first. */
  async *check(
    iteration: number,
    place: Place | undefined,
    only?: readonly number[],
  ): AsyncGenerator<RunEvent, CheckedAgain[]> {
    const { states, criteria, conditions } = this.#claimed.parts;
    const isAsked = ({ id }: { id: number }) => only?.includes(id) ?? true;
    this.failed.length = 0;
    yield { type: "phase-start", phase: "check", iteration };
    const checked: CheckedAgain[] = [];
    for (const state of states.filter(isAsked).toReversed()) checked.push(await this.#lookAgain(state, place));
    for (const goal of criteria.toReversed())
      checked.push(...(yield* this.#runCriteria(goal, { iteration, place, only })));
    for (const one of conditions.filter(isAsked).toReversed()) {
      if (this.#typeOf(one) === "semantic") continue;
      const again = yield* this.#ask(one, place);
      checked.push(again);
      yield { type: "check-end", iteration, evaluation: again.evaluation };
    }
    return checked.toSorted((left, right) => left.evaluation.id - right.evaluation.id);
  }

  /** The sentences, each to a judge who has not seen them judged before. */
  async *judge(_iteration: number, checks: readonly Evaluation[]): AsyncGenerator<RunEvent, Judgment> {
    const { conditions, criteria } = this.#claimed.parts;
    const evaluations: Evaluation[] = [];
    for (const one of conditions)
      if (this.#typeOf(one) === "semantic")
        evaluations.push({ ...(yield* this.#ask(one, undefined)).evaluation, source: "judge" });
    const judgments: Judgment[] = [];
    for (const { offset, ...goal } of criteria) {
      if (goal.criteria.every(isCheck)) continue;
      const own = checks.map((one) => ({ ...one, id: one.id - offset })).filter(({ id }) => id > 0);
      const judgment = yield* judgeAfresh(this.#context, goal, {
        ...this.#claimed,
        summary: this.#record,
        checks: own,
      });
      judgments.push(judgment);
      evaluations.push(...judgment.evaluations.map((one) => ({ ...one, id: one.id + offset })));
    }
    return {
      is_complete: evaluations.every(({ is_met }) => is_met) && judgments.every(({ is_complete }) => is_complete),
      evaluations,
      reasons: judgments.flatMap(({ reasons = [] }) => reasons),
      overall_reason: judgments.map(({ overall_reason }) => overall_reason).join(" "),
      suggested_next_action: null,
    };
  }

  get #record() {
    return forJudge(this.#claimed.summary);
  }

  get #suspects(): string[] {
    const { evaluations } = this.#claimed.judgment;
    return evaluations.filter(({ is_flaky }) => is_flaky).map(({ criterion }) => criterion);
  }

  #typeOf({ condition }: ClaimedCondition): string | undefined {
    return this.#run.definition.registry.validators[condition.validator]?.type;
  }

  /** The sentence of a semantic condition, as its judge sees it. */
  sentenceOf(one: ClaimedCondition): string {
    const { validator } = one.condition;
    const { prompt = "" } = this.#run.definition.registry.validators[validator] ?? {};
    return fillTemplate({ file: validator, text: prompt }, this.#variablesOf(one));
  }

  #variablesOf({ closure }: ClaimedCondition): Record<string, string> {
    const { summary, judgment } = this.#claimed;
    const { handoff, checks } = judgment.flow ?? { handoff: {}, checks: 0 };
    const iteration = summary.iteration + 1;
    return closureVariables(this.#context, this.#run, { closure, handoff, iteration, checks, summary });
  }

  async *#ask(one: ClaimedCondition, place: Place | undefined): AsyncGenerator<RunEvent, CheckedAgain> {
    const { summary, judgment } = this.#claimed;
    const validator = this.#run.definition.registry.validators[one.condition.validator];
    const is_in_place = validator !== undefined && asksWorkspace(validator);
    const outcome = yield* surelyRun(this.#context, this.#run, {
      condition: one.condition,
      summary,
      handoff: judgment.flow?.handoff ?? {},
      variables: this.#variablesOf(one),
      ...(!is_in_place && { place }),
      suspects: this.#suspects,
    });
    if (!outcome.passed) this.failed.push({ ...one, outcome });
    return { evaluation: evaluationOf(outcome, one.id), ...(is_in_place && { is_in_place }) };
  }

  async *#runCriteria(
    { criteria, offset }: ClaimedParts["criteria"][number],
    { iteration, place, only }: { iteration: number; place: Place | undefined; only: readonly number[] | undefined },
  ): AsyncGenerator<RunEvent, CheckedAgain[]> {
    const own = only?.map((id) => id - offset);
    const run = new CheckRun(this.#context, iteration, {
      place,
      isReversed: true,
      only: own,
      suspects: this.#suspects,
    });
    try {
      run.start(criteria);
      const evaluations = yield* run.finish();
      return evaluations.map((one) => ({ evaluation: { ...one, id: one.id + offset } }));
    } finally {
      await run.close();
    }
  }

  async #lookAgain(
    { key, config, id }: ClaimedParts["states"][number],
    place: Place | undefined,
  ): Promise<CheckedAgain> {
    const is_in_place = !isOfFiles(config);
    const found = await externalStateOf(this.#context, this.#run, config, is_in_place ? undefined : place);
    const nothing = { iterations: 0, checks: 0, terminal: false, texts: [], answers: [], custom: {}, criteria: {} };
    const { complete, reasons } = isComplete(
      { type: "externalState", config },
      { ...nothing, external: { [key]: found } },
    );
    const [outcome] = reasons;
    const evaluation: Evaluation = {
      id,
      criterion: `${config.resourceType ?? "issue"} ${found.name}`,
      is_met: complete,
      evidence: "",
      ...(outcome && { outcome }),
      confidence: 1,
      source: "command",
    };
    return { evaluation, ...(is_in_place && { is_in_place }) };
  }
}
