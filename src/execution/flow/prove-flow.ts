import { verdict } from "../../judgment/flow/conditions.ts";
import type { RunEvent } from "../../model/events.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import { listed } from "../../model/message.ts";
import type { ProofRecord } from "../../model/proof-record.ts";
import type { RunState } from "../../model/state.ts";
import type { Proved } from "../course.ts";
import { Halt } from "../halt.ts";
import { onOneLine } from "../prompt/quotes.ts";
import { evidenceFor, indent } from "../prompt/texts.ts";
import { prove } from "../proof/prove.ts";
import type { RunContext } from "../run-context.ts";
import { stepAfterRefusal } from "./conclude-step.ts";
import { type ClaimedParts, type ClaimedWork, type FlowClaim, flowClaim, provable } from "./flow-claim.ts";
import { type FlowRun, flowFailed, stepOf } from "./flow-run.ts";
import { retryPrompt } from "./retry-prompt.ts";
import { closureVariables } from "./step-prompt.ts";

/** Proves that a flow is complete. A refuted claim goes back to the step that closure's `repeat` names, with what was found. */
export async function* proveFlow(context: RunContext, run: FlowRun, state: RunState): AsyncGenerator<RunEvent, Proved> {
  const claimed = provable(run, state);
  if (!claimed) throw new Error("there is nothing to prove");
  const claim = flowClaim(context, run, claimed, claimed.parts);
  const proof = yield* prove(context, claim, state);
  if (proof.holds || proof.is_undecided) return { proof };
  const attempt = { claimed, claim, proof };
  const closures = closuresOf(attempt);
  const attempts = { ...claimed.judgment.flow?.attempts };
  for (const { closure } of closures) attempts[closure] = (attempts[closure] ?? 0) + 1;
  const isLast = closures.some(
    ({ closure, onFailure }) => verdict([NOT_PROVED], onFailure, attempts[closure] ?? 0) === "abort",
  );
  const flow = positionAfter(context, run, { ...attempt, attempts });
  const trouble = isLast ? { trouble: { error: failedAt(attempt) } } : {};
  return { proof: flow ? { ...proof, flow } : proof, ...trouble };
}

const NOT_PROVED = { passed: false, unrecoverable: false };

interface RefutedAttempt {
  claimed: ClaimedWork & { parts: ClaimedParts };
  claim: FlowClaim;
  proof: ProofRecord;
}

/** The closure steps whose conditions failed; where other findings refuted the claim, all that were claimed. Each once. */
function closuresOf({ claimed, claim }: RefutedAttempt): ClaimedParts["conditions"] {
  const all = claim.failed.length > 0 ? claim.failed : claimed.parts.conditions;
  return all.filter(({ closure }, index) => all.findIndex((other) => other.closure === closure) === index);
}

function positionAfter(
  context: RunContext,
  run: FlowRun,
  { claimed, claim, proof, attempts }: RefutedAttempt & { attempts: Record<string, number> },
): FlowPosition | undefined {
  const { summary, judgment } = claimed;
  const before = judgment.flow;
  if (!before) return undefined;
  const step = stepOf(run, before.step_id, summary.iteration);
  const next_step = stepAfterRefusal(run, { step, summary, before });
  return { ...before, next_step, attempts, retry_prompt: findingsOf(context, run, { claimed, claim, proof }) };
}

/** What refuted the claim, for the prompt of the next worker: the reasons of the proof, then the flow's own words for its conditions. */
function findingsOf(context: RunContext, run: FlowRun, { claimed, claim, proof }: RefutedAttempt): string {
  const { tell } = context;
  const { summary, judgment, parts } = claimed;
  const reasons = proof.reasons.map((reason) => `- ${onOneLine(tell(reason))}`);
  const [first] = claim.failed;
  const conditions = new Set(parts.conditions.map(({ id }) => id));
  const others = proof.evaluations.filter(({ id, is_met }) => !is_met && !conditions.has(id));
  const criteria = parts.criteria.flatMap((goal) => goal.criteria);
  const remarks = others.map((evaluation) => {
    const own = { ...evaluation, id: evaluation.id - parts.conditions.length };
    return `- NOT MET: ${evaluation.criterion}\n${indent(evidenceFor(criteria, own, { tell, tokens: REMARK_TOKENS }))}`;
  });
  const { handoff = {}, checks = 0 } = judgment.flow ?? {};
  const variables =
    first &&
    closureVariables(context, run, {
      closure: first.closure,
      handoff,
      iteration: summary.iteration + 1,
      checks,
      summary,
    });
  const failed = claim.failed.map(({ outcome }) => outcome);
  return [
    `Completion was claimed and could not be proved:\n\n${[...reasons, ...remarks].join("\n")}`,
    first && variables && retryPrompt(context, run, { closure: first.closure, failed, variables }),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const REMARK_TOKENS = 2_000;

function failedAt({ claimed, proof }: RefutedAttempt): Halt {
  const { judgment, summary } = claimed;
  const where = { step: judgment.flow?.step_id ?? "", iteration: summary.iteration };
  const problem = listed(proof.reasons, "\n");
  const error = flowFailed("FAILED_COMPLETION_CONDITIONS", { ...where, problem, recoverable: true });
  return new Halt({ stop_reason: "conditions_failed", error });
}
