import { useMemo } from "preact/hooks";
import type { TaskView } from "../../src/model/dashboard.ts";
import { Chart, type Line } from "../parts/chart.tsx";
import { dollars, short } from "../parts/format.ts";
import { texts } from "../texts/texts.ts";

/** Cost, tokens and criteria met, iteration by iteration. */
export function FiguresTab({ view }: { view: TaskView }) {
  const words = texts().figures;
  const rows = view.timeline;
  const drawn = useMemo(() => {
    const met = rows.filter(({ result }) => result !== "");
    const line = (name: string, values: readonly number[], rest: Pick<Line, "kind" | "colour" | "format">): Line => ({
      name,
      values,
      ...rest,
    });
    const pair = (of: readonly number[], format: Line["format"]): Line[] => [
      line(words.each, of, { kind: "bars", colour: "second", format }),
      line(words.inAll, sums(of), { kind: "line", colour: "first", format }),
    ];
    return {
      x: rows.map(({ iteration }) => iteration),
      cost: pair(
        rows.map(({ usage }) => usage.cost_usd),
        dollars,
      ),
      tokens: pair(
        rows.map(({ usage }) => usage.tokens),
        short,
      ),
      judged: met.map(({ iteration }) => iteration),
      met: [
        line(
          texts().matrix.met,
          met.map(({ criteria_met }) => criteria_met),
          { kind: "line", colour: "first", format: String },
        ),
      ],
    };
  }, [rows, words]);
  const shared = { name: String, xName: texts().changes.step };
  return (
    <div class="charts">
      <Chart
        title={words.criteriaOfRun}
        x={drawn.judged}
        lines={drawn.met}
        top={Math.max(1, view.criteria)}
        {...shared}
      />
      <Chart title={words.costOfRun} x={drawn.x} lines={drawn.cost} {...shared} />
      <Chart title={words.tokensOfRun} x={drawn.x} lines={drawn.tokens} {...shared} />
    </div>
  );
}

function sums(amounts: readonly number[]): number[] {
  let sum = 0;
  return amounts.map((amount) => {
    sum += amount;
    return sum;
  });
}
