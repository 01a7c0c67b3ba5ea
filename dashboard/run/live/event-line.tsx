import type { StreamedEvent } from "../../../src/model/dashboard.ts";
import { clock } from "../../parts/format.ts";
import { label, texts } from "../../texts/texts.ts";
import { kindOf } from "./kinds.ts";

interface Shown {
  streamed: StreamedEvent;
  index: number;
  start: number;
  measure: (element: HTMLElement | null) => void;
}

export function EventLine({ streamed, index, start, measure }: Shown) {
  const { at, event } = streamed;
  return (
    <div
      class="event"
      data-kind={kindOf(streamed)}
      data-type={event.type}
      data-seq={streamed.seq}
      data-index={index}
      ref={measure}
      style={{ transform: `translateY(${start}px)` }}
    >
      <time class="number quiet" dateTime={at}>
        {clock(at)}
      </time>
      <Said streamed={streamed} />
    </div>
  );
}

function Said({ streamed: { event, line } }: { streamed: StreamedEvent }) {
  const words = texts().live;
  switch (event.type) {
    case "text":
      return (
        <span class="said">
          {event.role !== "executor" && <span class="role">{label(texts().run.role, event.role)}</span>}
          {event.text.trim()}
          {event.cut_from !== undefined && <span class="quiet"> [{words.cutFrom(event.cut_from)}]</span>}
        </span>
      );
    case "tool-call":
      return (
        <span class="said">
          <b>{event.tool}</b> <code>{event.detail}</code>
        </span>
      );
    case "tool-denied":
      return (
        <span class="said bad">
          <b>{event.tool}</b> {texts().labeled(words.denied, event.reason)}
        </span>
      );
    default:
      return <span class="said">{line?.replace(/^ {2}/gm, "")}</span>;
  }
}
