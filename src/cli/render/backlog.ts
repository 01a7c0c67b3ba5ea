import type { BacklogEvent, BacklogItem, BacklogResult, EndedTurnRecord } from "../../model/backlog.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import { dollars, localClock } from "./amounts.ts";
import { oneLine } from "./lines.ts";
import { type ProgressStyle, progressLines } from "./progress.ts";

/** Events of a run that are worth a line beside those of other runs. */
export const TOLD_OF_MANY: ReadonlySet<RunEvent["type"]> = new Set([
  "iteration-start",
  "judgment",
  "proof",
  "landing",
  "waiting",
  "notice",
]);

/** Calm lines; each begins with its issue. */
export function backlogLines(event: BacklogEvent, style: ProgressStyle): string[] {
  const { texts, paint } = style;
  const { backlog } = texts;
  const tell = teller(texts.language);
  if (event.type === "idle") return [paint("dim", backlog.idle(localClock(new Date(event.until))))];
  const lines = (words: readonly string[]) =>
    words.map((line) => `${paint("cyan", `#${event.issue}`)} ${line.trimStart()}`);
  switch (event.type) {
    case "turn-start": {
      const { title, task_id, resumed, phase, agent } = event;
      const who = [phase, agent].filter((word) => word !== undefined).join(", ");
      const words = resumed
        ? backlog.goesOn(oneLine(title, 80), task_id)
        : backlog.begun(oneLine(title, 80), task_id, who);
      return lines([paint("bold", words)]);
    }
    case "run":
      return TOLD_OF_MANY.has(event.envelope.event.type) ? lines(progressLines(event.envelope.event, style)) : [];
    case "turn-end":
      return lines([backlog.ended(endWords(event.ended, texts))]);
    case "effect":
      return event.effect.stage === "done" ? lines([`✔ ${tell(event.effect.what)}`]) : [];
    case "parked":
      return lines([paint("yellow", backlog.parked(oneLine(tell(event.problem), 600)))]);
  }
}

function endWords({ status, landing, outcome, to }: EndedTurnRecord, texts: Texts): string {
  const where = landing === undefined ? [] : [texts.backlog.landing[landing]];
  const next = to === undefined ? [] : [`${outcome} → ${to}`];
  return [texts.status[status], ...where, ...next].join(texts.separator);
}

/** How every issue stands. */
export function backlogRows({ items }: BacklogResult, texts: Texts): string[][] {
  return items.map((item) => [
    String(item.issue),
    stateWords(item, texts),
    item.task_id ?? "",
    oneLine(item.title, 80),
  ]);
}

function stateWords({ state, landing, problem, blocked_by }: BacklogItem, { backlog, language }: Texts): string {
  if (state === "waits") return backlog.blockedBy((blocked_by ?? []).map((number) => `#${number}`).join(", "));
  if (state === "done" && landing) return backlog.landing[landing];
  const words = backlog.state[state];
  return problem === undefined ? words : `${words}: ${oneLine(teller(language)(problem), 300)}`;
}

export function countWords({ items, cost_usd }: BacklogResult, { backlog }: Texts): string {
  const done = items.filter(({ state }) => state === "done").length;
  return backlog.counts(done, items.length, cost_usd > 0 ? ` (${dollars(cost_usd)})` : "");
}
