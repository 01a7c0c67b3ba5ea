import { useState } from "preact/hooks";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { projectName, session } from "../app/context.ts";
import { useKeys } from "../app/keys.ts";
import { address } from "../app/route.ts";
import { keyOf } from "../data/source.ts";
import { Chip, Meter, Status } from "../parts/bits.tsx";
import { Doing } from "../parts/doing.tsx";
import { ago, moment, spentDollars, spentTokens } from "../parts/format.ts";
import { useNow } from "../parts/now.ts";
import { useVirtual } from "../parts/use-virtual.ts";
import { texts } from "../texts/texts.ts";

const ROW = 46;
const CARD = 128;

/** Narrow screens show cards. */
const isNarrow = () => matchMedia("(width < 720px)").matches;

export function TaskRows({ rows }: { rows: readonly TaskRow[] }) {
  const { columns } = texts().tasks;
  const size = isNarrow() ? CARD : ROW;
  const { scroller, virtual } = useVirtual({ count: rows.length, size: () => size });
  useWalk(rows, (index) => virtual.scrollToIndex(index));
  const length = virtual.getTotalSize();
  return (
    <div class="tasks fills">
      <div class="task head" aria-hidden="true">
        {[
          columns.status,
          columns.task,
          columns.criteria,
          columns.iterations,
          columns.cost,
          columns.tokens,
          columns.active,
        ].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div class="scroller" ref={scroller} style={{ maxBlockSize: `${length + 1}px` }}>
        <ul style={{ blockSize: `${length}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row && <Row key={keyOf(row)} row={row} start={start} />;
          })}
        </ul>
      </div>
    </div>
  );
}

/** `j` and `k` move the focus from task to task; Enter follows the link that has it. */
function useWalk(rows: readonly TaskRow[], reveal: (index: number) => void): void {
  const [at, setAt] = useState(-1);
  const walk = (by: number) => () => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by));
    setAt(next);
    reveal(next);
    const row = rows[next];
    if (row)
      requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`task-${keyOf(row)}`)?.focus()));
  };
  useKeys({ j: walk(1), k: walk(-1) });
}

function Row({ row, start }: { row: TaskRow; start: number }) {
  const words = texts().tasks;
  const { project, task_id: id } = row;
  return (
    <li style={{ transform: `translateY(${start}px)` }}>
      <a id={`task-${keyOf(row)}`} class="task" href={address({ page: "task", project, id })}>
        <Status status={row.status} />
        <span class="what">
          <span class="title">{row.title}</span>
          <span class="quiet small">
            <Origin row={row} />
          </span>
        </span>
        <span class="criteria" title={words.criteria(row.criteria_met, row.criteria)}>
          <Meter part={row.criteria_met} whole={row.criteria} />
          <span class="unseen">{words.criteria(row.criteria_met, row.criteria)}</span>
          <span aria-hidden="true">
            {row.criteria_met}/{row.criteria}
          </span>
        </span>
        <span class="number">
          <span class="unseen">{words.iterations(row.iterations, row.max_iterations)}</span>
          <span aria-hidden="true">
            {row.iterations}/{row.max_iterations}
          </span>
        </span>
        <span class="number">{spentDollars(row.spent)}</span>
        <span class="number tokens">{spentTokens(row.spent)}</span>
        <Active at={row.last_active} />
      </a>
    </li>
  );
}

function Origin({ row }: { row: TaskRow }) {
  const words = texts().tasks;
  const areMany = (session.value?.projects.length ?? 0) > 1;
  const isDoing = row.doing && row.status === "running";
  return (
    <>
      {isDoing && row.doing && <Doing doing={row.doing} />}
      {isDoing && " · "}
      {row.problem && <Chip tone="bad">{row.problem}</Chip>}{" "}
      {[areMany && projectName(row.project), row.issue !== undefined && words.issue(row.issue), row.agent, row.task_id]
        .filter(Boolean)
        .join(" · ")}
    </>
  );
}

function Active({ at }: { at: string }) {
  const now = useNow();
  return (
    <time class="number when" dateTime={at} title={moment(at)}>
      {ago(at, now)}
    </time>
  );
}
