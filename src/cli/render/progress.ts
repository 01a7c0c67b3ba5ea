import process from "node:process";
import { criterionText, refined } from "../../model/criterion.ts";
import type { RunEvent, StepStart } from "../../model/events.ts";
import { listed } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { JudgmentRecord } from "../../model/records.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { summaryText } from "../../texts/readable.ts";
import { noticeText } from "../../texts/sentences.ts";
import { teller } from "../../texts/tell.ts";
import { isSaid, type LogLevel, logLevel } from "../log-level.ts";
import type { CliContext, Paint } from "../output.ts";
import { localClock } from "./amounts.ts";
import { evaluationLines } from "./evaluations.ts";
import { landingLines } from "./landing.ts";
import { oneLine, printable } from "./lines.ts";
import { proofOutcomeLines } from "./proof.ts";
import { workerChangeLine } from "./workers.ts";

export interface ProgressStyle {
  texts: Texts;
  paint: Paint;
  verbose: boolean;
  level: LogLevel;
  /** The report of a completed run follows at the same place, with all criteria. */
  isReported?: boolean;
}

/** All of it but words and colours. */
export function progressOptions({ verbose = false, json }: { verbose?: boolean; json?: boolean }) {
  return { verbose, level: logLevel(), isReported: json !== true && process.stdout.isTTY === true };
}

type Show<E> = (event: E, style: ProgressStyle) => string[];
type Shows = { [T in RunEvent["type"]]: Show<Extract<RunEvent, { type: T }>> };

/** Calm lines for terminals and logs alike. */
const shows: Shows = {
  "run-start": ({ task_id, task, resumed_after }, { texts, paint }) => [
    paint("bold", resumed_after > 0 ? texts.resumed(task_id, resumed_after) : texts.runStart(task_id)),
    `  ${oneLine(task, 100)}`,
  ],
  intake: ({ result, criteria }, { texts }) => {
    const note = result.validation_notes?.trim();
    const notes = note ? [`  ${texts.intakeNote(oneLine(note, 500))}`] : [];
    if (result.status !== "accepted") return notes;
    const sharper = refined(criteria, result.criteria).map(criterionText);
    const changed = sharper.filter((text, index) => criteria[index] && text !== criterionText(criteria[index]));
    return [`  ${texts.accepted}`, ...changed.map((text) => `  ${texts.refined(oneLine(text, 200))}`), ...notes];
  },
  clarification: () => [],
  "iteration-start": ({ iteration, max_iterations }, { texts, paint }) => [
    paint("bold", texts.iteration(iteration, max_iterations)),
  ],
  "phase-start": ({ phase, beside }, { texts }) => [
    `  ${beside ? texts.live.besideChecks(texts.phase[phase]) : texts.phase[phase]}`,
  ],
  waiting: ({ reason, until }, { texts, paint }) => [
    paint("yellow", `  ${texts.waiting(oneLine(teller(texts.language)(reason), 160), localClock(new Date(until)))}`),
  ],
  "api-retry": ({ code, status, attempt, max_attempts, until }, { texts, paint }) => {
    const when = texts.retry(attempt, max_attempts, localClock(new Date(until)));
    return [paint("yellow", `  ${when}: ${texts.live.failed(texts.live.trouble[code], status)}`)];
  },
  pause: ({ is_paused }, { texts, paint }) => [paint("yellow", `  ${is_paused ? texts.paused : texts.unpaused}`)],
  note: ({ text }, { texts, paint }) => [paint("cyan", `  ✎ ${texts.note(oneLine(text, 200))}`)],
  "check-end": () => [],
  "setup-end": ({ command, outcome, output, is_done }, { texts, paint }) => {
    const line = `    ${oneLine(command, 80)}: ${teller(texts.language)(outcome)}`;
    return is_done
      ? [line]
      : [
          paint("yellow", line),
          ...output
            .split("\n")
            .slice(-3)
            .map((one) => `      ${oneLine(one, 160)}`),
        ];
  },
  summary: ({ summary }, { texts }) => {
    const { approach, reason } = summaryText(summary, texts.language);
    const text = (summary.flow && reason) || approach; // what a step tried stands in its name already
    return [`  ${texts.worked(summary.result, oneLine(text, 120))}`];
  },
  judgment: ({ judgment }, { texts, paint, isReported }) => {
    const { suggested_next_action: action, is_complete } = judgment;
    const suggestion = action && !is_complete ? [`  ${texts.suggestion(oneLine(action, 160))}`] : [];
    const isTold = is_complete && isReported;
    const evaluations = isTold ? [] : evaluationLines(judgment.evaluations, { texts, paint, evidence: "unmet" });
    return [...evaluations, ...suggestion, ...whereItGoes(judgment, texts)];
  },
  proof: ({ proof }, style) => proofOutcomeLines(proof, style),
  landing: ({ landing }, { texts }) => landingLines(landing, texts).map((line) => `  ${line}`),
  "worker-change": ({ change }, { texts, paint }) => [paint("yellow", `  ${workerChangeLine(change, texts)}`)],
  text: ({ text }, { verbose }) => (verbose ? [`    📝 ${oneLine(text, 80)}`] : []),
  "tool-call": ({ tool, detail }, { verbose }) =>
    verbose ? [`    → ${oneLine(tool, 120)}${detail ? `: ${oneLine(detail, 120)}` : ""}`] : [],
  "tool-denied": ({ tool, reason }, { texts, paint }) => [
    paint("yellow", `    ${oneLine(texts.denied(tool, teller(texts.language)(reason)), 160)}`),
  ],
  notice: ({ notice }, { texts, paint, verbose }) => {
    const text = printable(noticeText(notice, texts.language));
    if (notice.code === "credentials_withheld") return verbose ? [`  ${text}`] : []; // as it should be: no warning
    return [paint("yellow", `  ${texts.labeled(texts.warning, text)}`)];
  },
  usage: () => [],
  spent: () => [],
  "agent-state": () => [],
  "step-start": (step, { texts }) => [`  ${stepTitle(step, texts)}`],
  conditions: () => [],
  effect: ({ stage, what, problem }, { texts, paint }) => {
    const tell = teller(texts.language);
    if (stage === "begun") return [];
    if (stage === "done") return [`  ${oneLine(tell(what))}`];
    return [paint("yellow", `  ${oneLine(tell(listed([what, ...(problem ? [problem] : [])], ": ")))}`)];
  },
  "run-end": ({ thrown }) => (thrown ? [printable(thrown.stack ?? thrown.message)] : []),
};

/** Every other event is progress: `info`. */
const weights: { [T in RunEvent["type"]]?: LogLevel } = {
  waiting: "warning",
  "api-retry": "warning",
  "tool-denied": "warning",
  notice: "warning",
  "worker-change": "warning",
  "run-end": "debug",
};

function weightOf(event: RunEvent): LogLevel {
  const isFailedEffect = event.type === "effect" && event.stage !== "begun" && event.stage !== "done";
  return isFailedEffect ? "warning" : (weights[event.type] ?? "info");
}

/** An agent made of steps: what the step asked for, and where that leads. */
function whereItGoes({ flow, is_complete }: JudgmentRecord, { flow: words }: Texts): string[] {
  if (!flow || is_complete) return [];
  const { intent, step_id, next_step, attempts } = flow;
  const refused = intent === "closing" ? words.refused(attempts[step_id] ?? 0) : intent;
  return [`  ${oneLine([refused, next_step].filter((word) => word !== null).join(" → "))}`];
}

/** `step 2 of 4: implement.code (Implement it)`. */
export function stepTitle({ step_id, name, number, of, is_retry }: StepStart, { flow: words }: Texts): string {
  const title = words.step(number, of, name === step_id ? step_id : words.named(step_id, name));
  return oneLine(is_retry ? `${title} · ${words.retry}` : title);
}

export function progressLines(event: RunEvent, style: ProgressStyle): string[] {
  if (!isSaid(weightOf(event), style.level)) return [];
  const verbose = style.verbose || style.level === "debug";
  return (shows[event.type] as Show<RunEvent>)(event, { ...style, verbose });
}

/** Says on stderr what a command that only looks had to leave out. */
export function warner({ texts, output }: CliContext): (notice: Notice) => void {
  return (notice) => {
    if (!isSaid("warning")) return;
    const text = printable(noticeText(notice, texts.language));
    output.progress(output.paint("yellow", texts.labeled(texts.warning, text)));
  };
}
