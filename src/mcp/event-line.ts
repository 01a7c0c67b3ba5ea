import type { RunEvent } from "../model/events.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import { summaryText } from "../texts/readable.ts";
import { noticeText } from "../texts/sentences.ts";
import { teller } from "../texts/tell.ts";
import { cut } from "./task-facts.ts";

/** An event in one line. A small one is worth a message while somebody waits, and no line in the result. */
export interface EventLine {
  line: string | undefined;
  isSmall: boolean;
}

const LONGEST = 300;

export function eventLine(event: RunEvent, texts: Texts): EventLine {
  const small = smallLine(event, texts);
  const line = small ?? wholeLine(event, texts);
  return { line: line && cut(line.replaceAll(/\s+/g, " ").trim(), LONGEST), isSmall: small !== undefined };
}

function smallLine(event: RunEvent, { phase }: Texts): string | undefined {
  if (event.type === "phase-start") return phase[event.phase];
  return event.type === "tool-call" ? `${event.tool}: ${event.detail}` : undefined;
}

function wholeLine(event: RunEvent, texts: Texts): string | undefined {
  const tell = teller(texts.language);
  switch (event.type) {
    case "run-start":
      return event.resumed_after > 0
        ? texts.resumed(event.task_id, event.resumed_after)
        : texts.runStart(event.task_id);
    case "iteration-start":
      return texts.iteration(event.iteration, event.max_iterations);
    case "summary":
      return texts.worked(event.summary.result, summaryText(event.summary, texts.language).approach);
    case "judgment": {
      const { evaluations, iteration } = event.judgment;
      return texts.notify.facts(iteration, evaluations.filter(({ is_met }) => is_met).length, evaluations.length);
    }
    case "proof":
      return event.proof.holds ? texts.proof.holds[event.proof.method] : texts.proof.refuted.replace(/[:：]$/, "");
    case "waiting":
      return texts.waiting(tell(event.reason), new Date(event.until).toISOString());
    case "note":
      return texts.note(event.text);
    case "notice":
      return texts.labeled(texts.warning, noticeText(event.notice, texts.language));
    case "clarification":
      return texts.questionsOpen;
    case "run-end":
      return texts.labeled(texts.status[event.result.status], texts.stop[event.result.stop_reason]);
    default:
      return undefined;
  }
}
