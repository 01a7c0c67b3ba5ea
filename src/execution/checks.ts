import type { CommandOutcome } from "../connection/ports.ts";
import { type CommandCriterion, type Criterion, criterionText, numbered } from "../model/criterion.ts";
import type { RunEvent } from "../model/events.ts";
import type { Phrases } from "../model/phrases.ts";
import type { Evaluation } from "../model/records.ts";
import { phrased, type Told, told } from "../model/telling.ts";
import type { Say } from "../model/wording.ts";
import { keepTail } from "./bounds.ts";
import { haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";

const EVIDENCE_TOKENS = 1500;

/** Runs every command criterion, one after the other: they may share ports, files or a database. */
export async function* runChecks(
  context: RunContext,
  criteria: readonly Criterion[],
  iteration: number,
): AsyncGenerator<RunEvent, Evaluation[]> {
  const evaluations: Evaluation[] = [];
  for (const { id, criterion } of numbered(criteria)) {
    if (criterion.type !== "command") continue;
    if (evaluations.length === 0) yield { type: "phase-start", phase: "check", iteration };
    haltIfAborted(context.signal);
    const evaluation = await runCheck(context, id, criterion);
    const total = await context.meter.charge("checks", iteration, { tokens: 0, cost_usd: 0 });
    haltIfAborted(context.signal);
    yield { type: "spent", total };
    yield { type: "check-end", iteration, evaluation };
    evaluations.push(evaluation);
  }
  return evaluations;
}

async function runCheck(
  { ports, configuration, phrases, signal }: RunContext,
  id: number,
  criterion: CommandCriterion,
): Promise<Evaluation> {
  const timeout_seconds = criterion.timeout ?? configuration.command_timeout;
  const outcome = await ports.commands.run(
    { command: criterion.command, timeout_seconds, pipefail: criterion.pipefail ?? false },
    signal,
  );
  const { text: evidence, ...ours } = evidenceOf(outcome, timeout_seconds, phrases);
  return {
    id,
    criterion: criterionText(criterion),
    is_met: outcome.exit_code === 0 && !outcome.timed_out,
    evidence,
    confidence: 1,
    source: "command",
    ...ours,
  };
}

/** What happened, then the end of the output: test failures sit there. */
function evidenceOf(outcome: CommandOutcome, timeout: number, { cut, language }: Phrases): Told {
  const tail = keepTail(outcome.output_tail.trim(), EVIDENCE_TOKENS, `${cut}\n`);
  const head = phrased((phrases, say) => {
    const happened = whatHappened(outcome, timeout, { phrases, say });
    return tail === "" ? happened : `${happened}; ${phrases.outputOf("")}`;
  });
  return told(language, [head, tail], "");
}

function whatHappened(
  outcome: CommandOutcome,
  timeout: number,
  { phrases, say }: { phrases: Phrases; say: Say },
): string {
  if (outcome.start_error !== null) return phrases.notStarted(say(outcome.start_error));
  if (outcome.timed_out) return phrases.timedOut(timeout);
  if (outcome.exit_code !== null) return phrases.exited(outcome.exit_code, outcome.seconds.toFixed(1));
  return phrases.killed(outcome.signal ?? "?");
}
