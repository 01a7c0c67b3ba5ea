import { useState } from "preact/hooks";
import type { TaskView } from "../../../src/model/dashboard.ts";
import { Empty } from "../../parts/bits.tsx";
import { turned } from "../../parts/turned.ts";
import { useVirtual } from "../../parts/use-virtual.ts";
import { texts } from "../../texts/texts.ts";
import { Iteration } from "./iteration.tsx";
import { Legend } from "./phase-bar.tsx";

const CLOSED = 62;

/** The latest iteration first. */
export function TimelineTab({ view }: { view: TaskView }) {
  const rows = view.timeline;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { scroller, virtual } = useVirtual({ count: rows.length, size: () => CLOSED });
  if (rows.length === 0) return <Empty>{texts().timeline.empty}</Empty>;
  const longest = Math.max(...rows.map(({ start = 0, end = start }) => end - start));
  const length = virtual.getTotalSize();
  const turn = (iteration: number) => setOpen(turned(open, iteration));
  return (
    <div class="timeline fills">
      <Legend rows={rows} />
      <div class="scroller" ref={scroller} style={{ maxBlockSize: `${length + 2}px` }}>
        <ol reversed style={{ blockSize: `${length}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[rows.length - 1 - index];
            return (
              row && (
                <li
                  key={row.iteration}
                  ref={virtual.measureElement}
                  data-index={index}
                  value={row.iteration}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Iteration
                    row={row}
                    view={view}
                    longest={longest}
                    isOpen={open.has(row.iteration)}
                    turn={() => turn(row.iteration)}
                  />
                </li>
              )
            );
          })}
        </ol>
      </div>
    </div>
  );
}
