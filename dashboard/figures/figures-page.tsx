import { useMemo } from "preact/hooks";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { useTitle } from "../app/title.ts";
import { ProblemBox, Waiting } from "../parts/bits.tsx";
import { Chart, type Line } from "../parts/chart.tsx";
import { count, dollars, short } from "../parts/format.ts";
import { loadTasks, useTasks } from "../tasks/task-list.ts";
import { texts } from "../texts/texts.ts";
import { byDay } from "./by-day.ts";

/** What all tasks cost, and how often they come to their goal. */
export function FiguresPage() {
  const words = texts().figures;
  useTitle(words.title);
  const { tasks, problem } = useTasks();
  return (
    <>
      <h1>{words.title}</h1>
      {problem && <ProblemBox problem={problem} again={() => void loadTasks()} />}
      {tasks ? <Figures tasks={tasks} /> : !problem && <Waiting />}
    </>
  );
}

function Figures({ tasks }: { tasks: readonly TaskRow[] }) {
  const words = texts().figures;
  const drawn = useMemo(() => {
    const days = byDay(tasks);
    const line = (values: Line["values"], rest: Omit<Line, "values">): Line => ({ values, ...rest });
    return {
      x: days.map((_, index) => index),
      name: (x: number) => days[x]?.day ?? "",
      tick: (x: number) => days[x]?.day.slice("2026-".length) ?? "",
      cost: [
        line(
          days.map(({ cost }) => cost),
          { name: words.cost, kind: "bars", colour: "first", format: dollars },
        ),
      ],
      tokens: [
        line(
          days.map(({ tokens }) => tokens),
          { name: words.tokens, kind: "bars", colour: "first", format: short },
        ),
      ],
      rate: [
        line(
          days.map(({ rate }) => rate),
          { name: words.rate, kind: "line", colour: "first", format: (value) => `${Math.round(value)} %` },
        ),
      ],
    };
  }, [tasks, words]);
  const shared = { x: drawn.x, name: drawn.name, tick: drawn.tick, xName: words.day };
  return (
    <>
      <Sums tasks={tasks} />
      <div class="charts">
        <Chart title={words.successOverTime} lines={drawn.rate} top={100} {...shared} />
        <Chart title={words.costOverTime} lines={drawn.cost} {...shared} />
        <Chart title={words.tokensOverTime} lines={drawn.tokens} {...shared} />
      </div>
    </>
  );
}

function Sums({ tasks }: { tasks: readonly TaskRow[] }) {
  const words = texts().figures;
  const completed = tasks.filter(({ status }) => status === "completed");
  const cost = (rows: readonly TaskRow[]) => rows.reduce((sum, { spent }) => sum + spent.cost_usd, 0);
  const tokens = tasks.reduce((sum, { spent }) => sum + spent.tokens, 0);
  const values: [string, string][] = [
    [words.tasks, count(tasks.length)],
    [
      words.succeeded,
      `${count(completed.length)} (${Math.round((completed.length / Math.max(1, tasks.length)) * 100)} %)`,
    ],
    [words.cost, dollars(cost(tasks))],
    [words.tokens, short(tokens)],
    [words.mean, completed.length > 0 ? dollars(cost(completed) / completed.length) : texts().none],
  ];
  return (
    <dl class="amounts">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
