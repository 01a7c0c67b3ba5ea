import { useEffect } from "preact/hooks";
import type { TaskView } from "../../../src/model/dashboard.ts";
import { refine, route } from "../../app/route.ts";
import { Empty, Section } from "../../parts/bits.tsx";
import { texts } from "../../texts/texts.ts";
import { Ending } from "../head/ending.tsx";
import { About } from "./about.tsx";
import { Evidence } from "./evidence.tsx";
import { Matrix } from "./matrix.tsx";

export interface Place {
  iteration: number;
  id: number;
}

export function Overview({ view }: { view: TaskView }) {
  const { query } = route.value;
  const iteration = Number(query.get("iteration"));
  const id = Number(query.get("criterion"));
  const chosen = iteration > 0 && id > 0 ? { iteration, id } : undefined;
  const choose = (place: Place) => refine({ iteration: place.iteration, criterion: place.id });
  useFirst(view, chosen, choose);
  const isJudged = view.rows.some(({ cells }) => cells.length > 0);
  return (
    <div class="overview" data-judged={isJudged}>
      <div>
        <Ending view={view} />
        <Section title={texts().run.criteria}>
          {isJudged ? <Matrix view={view} chosen={chosen} choose={choose} /> : <Unjudged view={view} />}
        </Section>
      </div>
      {isJudged && <Evidence view={view} place={chosen} />}
      <div>
        <About view={view} />
      </div>
    </div>
  );
}

/** What matters most is shown at once: the latest judgment of a criterion that is not met, or of the first. */
function useFirst(view: TaskView, chosen: Place | undefined, choose: (place: Place) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    const judged = view.rows.filter(({ cells }) => cells.length > 0);
    const row = judged.find(({ cells }) => cells.at(-1)?.is_met === false) ?? judged[0];
    const cell = row?.cells.at(-1);
    if (!chosen && row && cell) choose({ iteration: cell.iteration, id: row.id });
  }, []);
}

function Unjudged({ view }: { view: TaskView }) {
  return (
    <>
      <ol class="criteria-list">
        {view.rows.map((row) => (
          <li key={row.id}>{row.command ? <code>{row.command}</code> : row.text}</li>
        ))}
      </ol>
      <Empty>{texts().matrix.empty}</Empty>
    </>
  );
}
