import { useEffect, useRef } from "preact/hooks";
import "./valid-language.ts";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../app/theme.ts";
import { texts } from "../texts/texts.ts";

export interface Line {
  name: string;
  /** A value for each of `x`. */
  values: readonly (number | null)[];
  kind: "bars" | "line";
  colour: "first" | "second";
  format: (value: number) => string;
}

interface Drawn {
  title: string;
  x: readonly number[];
  /** Of a place on the x axis. */
  name: (x: number) => string;
  /** The same, shorter: there is little room on the axis. */
  tick?: (x: number) => string;
  xName: string;
  lines: readonly Line[];
  top?: number;
}

const HEIGHT = 200;

/** A chart, and the same values as a table. */
export function Chart(drawn: Drawn) {
  const words = texts().figures;
  return (
    <figure class="chart">
      <figcaption>{drawn.title}</figcaption>
      {drawn.x.length < 2 ? <p class="quiet small">{words.few}</p> : <Canvas {...drawn} />}
      <details>
        <summary class="small quiet">{words.values}</summary>
        <Values {...drawn} />
      </details>
    </figure>
  );
}

function Canvas(drawn: Drawn) {
  const place = useRef<HTMLDivElement>(null);
  const shown = theme.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew with its data and with the theme, whose colours it reads
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      optionsOf(drawn, element),
      [[...drawn.x], ...drawn.lines.map(({ values }) => [...values])],
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [shown, drawn.x, drawn.lines]);
  return <div class="plot" ref={place} role="img" aria-label={drawn.title} />;
}

function optionsOf({ lines, name, tick = name, top, xName }: Drawn, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (variable: string) => style.getPropertyValue(variable);
  const font = `11px ${style.fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    font,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const [first] = lines;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false, range: (_, low, high) => [low - 0.5, high + 0.5] },
      y: { range: (_, _low, high) => [0, top ?? (high > 0 ? high * 1.08 : 1)] },
    },
    legend: { live: true },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        values: (_, at) => at.map((x) => (Number.isInteger(x) ? tick(x) : "")),
      },
      { ...axis, size: 58, values: (_, at) => at.map((y) => first?.format(y) ?? String(y)) },
    ],
    series: [
      { label: xName, value: (_, x) => (x === null ? "–" : name(x)) },
      ...lines.map((line) => seriesOf(line, colour(`--chart-${line.colour}`))),
    ],
  };
}

function seriesOf({ name, kind, format }: Line, stroke: string): uPlot.Series {
  const value = (_: uPlot, at: number | null) => (at === null ? "–" : format(at));
  if (kind === "line") return { label: name, stroke, width: 2, value, points: { show: false } };
  const paths = uPlot.paths.bars?.({ size: [0.7, 40] });
  return { label: name, stroke, fill: stroke, value, points: { show: false }, ...(paths && { paths }) };
}

const MOST_ROWS = 1000;

function Values({ x, name, xName, lines, title }: Drawn) {
  return (
    <div class="values" tabIndex={0} role="group" aria-label={title}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{xName}</th>
            {lines.map((line) => (
              <th scope="col" class="number" key={line.name}>
                {line.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.slice(-MOST_ROWS).map((at, row) => (
            <tr key={at}>
              <th scope="row">{name(at)}</th>
              {lines.map((line) => {
                const value = line.values.slice(-MOST_ROWS)[row];
                return (
                  <td class="number" key={line.name}>
                    {value == null ? texts().none : line.format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
