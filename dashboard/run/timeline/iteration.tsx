import type { IterationRow, TaskView } from "../../../src/model/dashboard.ts";
import { address } from "../../app/route.ts";
import { Chip } from "../../parts/bits.tsx";
import { duration, moment, spentDollars, spentTokens } from "../../parts/format.ts";
import { useNow } from "../../parts/now.ts";
import { Fact, Facts } from "../../parts/tabs.tsx";
import { label, texts } from "../../texts/texts.ts";
import { lengthOf, PhaseBar } from "./phase-bar.tsx";

interface Shown {
  row: IterationRow;
  view: TaskView;
  longest: number;
  isOpen: boolean;
  turn: () => void;
}

export function Iteration({ row, view, longest, isOpen, turn }: Shown) {
  const words = texts().timeline;
  return (
    <article class="iteration">
      <button type="button" class="line" aria-expanded={isOpen} onClick={turn}>
        <span class="nr number">
          <span class="unseen">{words.iteration(row.iteration)}</span>
          <span aria-hidden="true">{row.iteration}</span>
        </span>
        <span class="what">
          <span class="title">{row.approach || (row.end === undefined ? words.goesOn : texts().none)}</span>
          <PhaseBar row={row} longest={longest} />
        </span>
        <Marks row={row} view={view} />
        <Length row={row} />
        <span class="number">{spentTokens(row.usage)}</span>
        <span class="number">{spentDollars(row.usage)}</span>
      </button>
      {isOpen && <More row={row} view={view} />}
    </article>
  );
}

function Marks({ row, view }: { row: IterationRow; view: TaskView }) {
  const words = texts().timeline;
  return (
    <span class="chips">
      {row.step && <Chip>{row.step}</Chip>}
      {row.result && row.result !== "success" && <Chip tone="warn">{label(words.results, row.result)}</Chip>}
      {view.criteria > 0 && row.result && (
        <Chip tone={row.criteria_met === view.criteria ? "good" : "plain"}>
          {words.met(row.criteria_met, view.criteria)}
        </Chip>
      )}
      {row.proof_holds !== undefined && (
        <Chip tone={row.proof_holds ? "good" : "bad"}>{row.proof_holds ? words.proved : words.refuted}</Chip>
      )}
    </span>
  );
}

function Length({ row: { start, end } }: { row: IterationRow }) {
  const isGoing = start !== undefined && end === undefined;
  const now = useNow(isGoing);
  return <span class="number">{start === undefined ? texts().none : duration((end ?? now) - start)}</span>;
}

function More({ row, view }: { row: IterationRow; view: TaskView }) {
  const { timeline: words, amount } = texts();
  const { project, task_id: id } = view;
  const changes = address(
    { page: "task", project, id, tab: "changes" },
    { from: row.iteration - 1, to: row.iteration },
  );
  return (
    <div class="more">
      {row.reason && (
        <>
          <h2>{words.reason}</h2>
          <p class="prose">{row.reason}</p>
        </>
      )}
      <Facts>
        {row.start !== undefined && <Fact name={texts().run.started}>{moment(row.start)}</Fact>}
        <Fact name={amount.tokens}>{spentTokens(row.usage)}</Fact>
        <Fact name={amount.cost}>{spentDollars(row.usage)}</Fact>
        {row.worker && <Fact name={words.worker}>{row.worker}</Fact>}
        {row.tools_used.length > 0 && <Fact name={words.tools}>{row.tools_used.join(", ")}</Fact>}
        {row.changes && (
          <Fact name={words.diff}>
            <a href={changes}>{words.changes(row.changes.files, row.changes.added, row.changes.removed)}</a>
          </Fact>
        )}
      </Facts>
      <Phases row={row} />
    </div>
  );
}

function Phases({ row }: { row: IterationRow }) {
  const { timeline, phase } = texts();
  if (row.phases.length === 0) return null;
  const end = row.end ?? row.phases.at(-1)?.start ?? 0;
  return (
    <>
      <h2>{timeline.phases}</h2>
      <ul class="phase-list small">
        {row.phases.map((span) => (
          <li key={span.start}>
            <span class="swatch" data-phase={span.phase} aria-hidden="true" />
            {label(phase, span.phase)} <span class="number quiet">{duration(lengthOf(span, end))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
