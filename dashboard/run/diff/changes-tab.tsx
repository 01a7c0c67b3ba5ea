import type { DiffView, TaskView } from "../../../src/model/dashboard.ts";
import { source } from "../../app/context.ts";
import { useKeys } from "../../app/keys.ts";
import { refine, route } from "../../app/route.ts";
import { useLoaded } from "../../data/use-loaded.ts";
import { Choice, Empty, ProblemBox, Waiting } from "../../parts/bits.tsx";
import { coded } from "../../parts/coded.tsx";
import { texts } from "../../texts/texts.ts";
import { Diff } from "./diff.tsx";

export interface Span {
  from: number;
  to: number;
}

/** The changes of one iteration, or of all; without a choice, of all. */
export function ChangesTab({ view }: { view: TaskView }) {
  const words = texts().changes;
  const { query } = route.value;
  const last = lastOf(view);
  const span = { from: Number(query.get("from") ?? 0), to: Number(query.get("to") ?? last) };
  const moves = `${view.task_id} ${span.from} ${span.to} ${span.to === last ? view.status : ""}`;
  const { value, problem, again } = useLoaded(() => source().diff(view, span), moves);
  const isMissing = problem?.code === "not_in_report";
  return (
    <section class="changes" aria-label={texts().run.tabs.changes}>
      <Chooser span={span} last={last} />
      {isMissing && <Empty>{words.unavailable}</Empty>}
      {problem && !isMissing && <ProblemBox problem={problem} again={again} />}
      {value ? <Shown diff={value} /> : !problem && <Waiting />}
    </section>
  );
}

function lastOf(view: TaskView): number {
  return view.timeline.findLast(({ result }) => result !== "")?.iteration ?? view.iterations;
}

function Chooser({ span, last }: { span: Span; last: number }) {
  const words = texts().changes;
  const isWhole = span.from === 0 && span.to === last;
  const show = ({ from, to }: Span) => refine({ from, to, file: undefined, line: undefined });
  const step = (to: number) => to >= 1 && to <= last && show({ from: to - 1, to });
  const walk = (by: number) => () => step(isWhole ? last : span.to + by);
  useKeys({ "[": walk(-1), "]": walk(1) });
  const options = [
    { value: "whole", text: words.whole },
    { value: "each", text: words.each },
  ] as const;
  return (
    <div class="tools">
      <Choice
        label={texts().run.tabs.changes}
        options={options}
        chosen={isWhole ? "whole" : "each"}
        choose={(kind) => show(kind === "whole" ? { from: 0, to: last } : { from: Math.max(0, last - 1), to: last })}
      />
      <Places span={span} last={last} show={show} />
      <button
        type="button"
        class="small"
        aria-label={words.earlier}
        disabled={span.to <= 1 && !isWhole}
        onClick={walk(-1)}
      >
        ←
      </button>
      <button
        type="button"
        class="small"
        aria-label={words.later}
        disabled={isWhole || span.to >= last}
        onClick={walk(1)}
      >
        →
      </button>
    </div>
  );
}

function Places({ span, last, show }: { span: Span; last: number; show: (span: Span) => void }) {
  const words = texts().changes;
  const all = Array.from({ length: last + 1 }, (_, index) => index);
  const nameOf = (one: number) => (one === 0 ? words.start : words.iteration(one));
  const select = (label: string, value: number, places: readonly number[], choose: (place: number) => void) => (
    <select aria-label={label} value={value} onChange={(event) => choose(Number(event.currentTarget.value))}>
      {places.map((one) => (
        <option key={one} value={one}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
  return (
    <span class="span">
      {select(words.from, span.from, all.slice(0, span.to), (from) => show({ from, to: span.to }))}
      <span aria-hidden="true">→</span>
      {select(words.to, span.to, all.slice(1), (to) => show({ from: Math.min(span.from, to - 1), to }))}
    </span>
  );
}

function Shown({ diff }: { diff: DiffView }) {
  const words = texts().changes;
  const { query } = route.value;
  const line = Number(query.get("line"));
  const file = query.get("file") ?? undefined;
  if (diff.files.length === 0 && diff.diff === "") return <Empty>{words.none}</Empty>;
  return (
    <>
      {diff.is_cut && <p class="notice">{coded(words.cut)}</p>}
      <Diff diff={diff} target={file === undefined ? undefined : { file, line }} />
    </>
  );
}
