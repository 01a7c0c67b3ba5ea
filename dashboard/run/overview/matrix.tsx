import { useEffect, useMemo } from "preact/hooks";
import type { CriterionCell, CriterionRow, TaskView } from "../../../src/model/dashboard.ts";
import { useVirtual, type Virtual } from "../../parts/use-virtual.ts";
import { texts } from "../../texts/texts.ts";
import type { Place } from "./overview.tsx";

const CELL = 28;
const WIDE_CELL = 36;

interface Shown {
  view: TaskView;
  chosen: Place | undefined;
  choose: (place: Place) => void;
}

/** Criteria by iterations. Only the columns that are seen are drawn. */
export function Matrix(shown: Shown) {
  const { view, chosen } = shown;
  const words = texts().matrix;
  const last = Math.max(0, ...view.rows.map(({ cells }) => cells.at(-1)?.iteration ?? 0));
  const { scroller, virtual } = useVirtual({
    count: last,
    size: () => (last > 999 ? WIDE_CELL : CELL),
    is_horizontal: true,
  });
  useLatestInView(virtual, last, chosen?.iteration);
  const columns = virtual.getVirtualItems();
  const inlineSize = `${virtual.getTotalSize()}px`;
  return (
    <div
      class="matrix"
      data-wide={last > 999}
      role="grid"
      aria-label={words.caption}
      aria-rowcount={view.rows.length + 1}
      aria-colcount={last + 1}
      ref={scroller}
    >
      <div class="matrix-row head" role="row" aria-rowindex={1}>
        <div class="name" role="columnheader" aria-colindex={1}>
          {words.criterion}
        </div>
        <div class="cells" role="presentation" style={{ inlineSize }}>
          {columns.map(({ index, start }) => (
            <div
              key={index}
              class="cell number"
              role="columnheader"
              aria-colindex={index + 2}
              style={{ transform: `translateX(${start}px)` }}
            >
              {index + 1}
            </div>
          ))}
        </div>
      </div>
      {view.rows.map((row, index) => (
        <Row key={row.id} row={row} at={index} {...shown} columns={columns} inlineSize={inlineSize} />
      ))}
    </div>
  );
}

/** The chosen column, or the latest: a run of a thousand iterations is read from its end. */
function useLatestInView(virtual: Virtual, last: number, chosen: number | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice by hand must not scroll
  useEffect(() => {
    if (last > 0) virtual.scrollToIndex((chosen ?? last) - 1, { align: "end" });
  }, [last]);
}

interface RowProps extends Shown {
  row: CriterionRow;
  at: number;
  columns: ReturnType<Virtual["getVirtualItems"]>;
  inlineSize: string;
}

function Row({ row, at, view, chosen, choose, columns, inlineSize }: RowProps) {
  const words = texts().matrix;
  const cells = useMemo(() => new Map(row.cells.map((cell) => [cell.iteration, cell])), [row.cells]);
  const latest = row.cells.at(-1);
  return (
    <div class="matrix-row" role="row" aria-rowindex={at + 2}>
      <div class="name" role="rowheader" aria-colindex={1} title={row.text}>
        <span class="sign" data-met={latest?.is_met} aria-hidden="true">
          {signOf(latest)}
        </span>
        <span class="id number">{row.id}</span>
        <span class="text">{row.command && row.text === row.command ? <code>{row.command}</code> : row.text}</span>
        <span class="unseen">, {words.kinds[row.kind]}</span>
      </div>
      <div class="cells" role="presentation" style={{ inlineSize }}>
        {columns.map(({ index, start }) => (
          <Cell
            key={index}
            cell={cells.get(index + 1)}
            place={{ iteration: index + 1, id: row.id }}
            start={start}
            isChosen={chosen?.id === row.id && chosen.iteration === index + 1}
            choose={choose}
            move={(event) => walk(event, view.rows, { iteration: index + 1, at })}
          />
        ))}
      </div>
    </div>
  );
}

interface CellProps {
  cell: CriterionCell | undefined;
  place: Place;
  start: number;
  isChosen: boolean;
  choose: (place: Place) => void;
  move: (event: KeyboardEvent) => void;
}

function Cell({ cell, place, start, isChosen, choose, move }: CellProps) {
  const words = texts().matrix;
  return (
    <div
      class="cell"
      role="gridcell"
      aria-colindex={place.iteration + 1}
      aria-selected={isChosen}
      style={{ transform: `translateX(${start}px)` }}
    >
      {cell && (
        <button
          type="button"
          id={cellId(place)}
          data-met={cell.is_met}
          data-flaky={cell.is_flaky}
          tabIndex={isChosen ? 0 : -1}
          aria-label={words.cell(place.id, place.iteration, stateOf(cell, words))}
          onClick={() => choose(place)}
          onKeyDown={move}
        >
          {signOf(cell)}
        </button>
      )}
    </div>
  );
}

function cellId({ id, iteration }: Place): string {
  return `cell-${id}-${iteration}`;
}

function signOf(cell: CriterionCell | undefined): string {
  if (!cell) return "·";
  if (!cell.is_met) return "✕";
  return cell.is_flaky ? "≈" : "✓";
}

function stateOf(cell: CriterionCell, words: { met: string; unmet: string; flaky: string }): string {
  if (!cell.is_met) return words.unmet;
  return cell.is_flaky ? words.flaky : words.met;
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** To the next cell in that direction that was judged. */
function walk(event: KeyboardEvent, rows: readonly CriterionRow[], from: { iteration: number; at: number }): void {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const [across, down] = step;
  const last = Math.max(...rows.map(({ cells }) => cells.at(-1)?.iteration ?? 0));
  for (let { iteration, at } = from; ; ) {
    iteration += across;
    at += down;
    const row = rows[at];
    if (!row || iteration < 1 || iteration > last) return;
    const button = document.getElementById(cellId({ id: row.id, iteration }));
    if (!button) continue;
    button.focus();
    return;
  }
}
