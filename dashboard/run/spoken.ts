import type { Readable } from "../../src/model/dashboard.ts";
import type { RunEvent } from "../../src/model/events.ts";
import { label, texts } from "../texts/texts.ts";

/** The few events that a listener wants to hear about; the stream itself would never be silent. */
export function spokenOf(event: Readable<RunEvent>): string | undefined {
  const { said, status } = texts();
  switch (event.type) {
    case "iteration-start":
      return said.iteration(event.iteration);
    case "judgment": {
      const { evaluations } = event.judgment;
      return said.judged(evaluations.filter(({ is_met }) => is_met).length, evaluations.length);
    }
    case "waiting":
      return said.waiting;
    case "clarification":
      return said.questions(event.questions.length);
    case "run-end":
      return said.ended(label(status, event.result.status));
    default:
      return undefined;
  }
}
