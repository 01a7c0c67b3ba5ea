import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StreamedEvent } from "../../../src/model/dashboard.ts";
import { Choice, Empty } from "../../parts/bits.tsx";
import { useVirtual } from "../../parts/use-virtual.ts";
import { texts } from "../../texts/texts.ts";
import type { RunStore } from "../run-store.ts";
import { EventLine } from "./event-line.tsx";
import { isShown, KINDS, type Kind } from "./kinds.ts";

const LINE = 26;
const NEAR_END = 40;

export function LiveTab({ store }: { store: RunStore }) {
  const words = texts().live;
  const [kind, setKind] = useState<Kind>("all");
  const [isFollowing, setFollowing] = useState(true);
  const events = useShown(store, kind);
  const options = KINDS.map((value) => ({ value, text: words.kinds[value] }));
  return (
    <section class="live fills" aria-label={words.title}>
      <div class="tools">
        <Choice label={words.filter} options={options} chosen={kind} choose={setKind} />
        <span class="gap" />
        {store.hasEarlier && (
          <button type="button" class="small" onClick={() => store.followFromStart()}>
            {words.earlier}
          </button>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
          {words.follow}
        </label>
      </div>
      {events.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <Lines key={kind} events={events} count={events.length} isFollowing={isFollowing} setFollowing={setFollowing} />
      )}
    </section>
  );
}

interface Kept {
  kind: Kind;
  version: number;
  first: number;
  last: number;
  shown: StreamedEvent[];
}

/** Keeps what was filtered: of a batch only what is new is looked at. */
function useShown({ events, version }: RunStore, kind: Kind): readonly StreamedEvent[] {
  const kept = useRef<Kept>({ kind, version: 0, first: 0, last: 0, shown: [] });
  const now = version.value;
  const first = events[0]?.seq ?? 0;
  if (kept.current.kind !== kind || kept.current.first !== first)
    kept.current = { kind, version: 0, first, last: 0, shown: [] };
  const state = kept.current;
  if (state.version === now) return state.shown;
  const from = state.last === 0 ? 0 : events.findLastIndex(({ seq }) => seq <= state.last) + 1;
  for (const event of events.slice(from)) if (isShown(event, kind)) state.shown.push(event);
  Object.assign(state, { version: now, last: events.at(-1)?.seq ?? 0 });
  return state.shown;
}

interface Listed {
  /** The list grows in place, so its length tells of a change. */
  events: readonly StreamedEvent[];
  count: number;
  isFollowing: boolean;
  setFollowing: (isFollowing: boolean) => void;
}

function Lines({ events, count, isFollowing, setFollowing }: Listed) {
  const words = texts().live;
  const { scroller, virtual } = useVirtual({ count, size: () => LINE, beyond: 12 });
  const [left, setLeft] = useState(0);
  const length = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are measured after they are drawn, and then the list is longer
  useLayoutEffect(() => {
    if (isFollowing && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [length, count, isFollowing]);
  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    if (isAtEnd && !isFollowing) setFollowing(true);
  };
  const leave = () => {
    if (!isFollowing) return;
    setLeft(count);
    setFollowing(false);
  };
  return (
    <div class="stream fills">
      <div
        class="scroller"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={words.region}
        tabIndex={0}
        onScroll={scrolled}
        onWheel={(event) => event.deltaY < 0 && leave()}
        onKeyDown={(event) => ["ArrowUp", "PageUp", "Home"].includes(event.key) && leave()}
        onTouchMove={leave}
      >
        <div class="lines" style={{ blockSize: `${length}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const event = events[index];
            return (
              event && (
                <EventLine
                  key={event.seq}
                  streamed={event}
                  index={index}
                  start={start}
                  measure={virtual.measureElement}
                />
              )
            );
          })}
        </div>
      </div>
      {!isFollowing && count > left && (
        <button type="button" class="main to-end" onClick={() => setFollowing(true)}>
          ↓ {words.latest(count - left)}
        </button>
      )}
    </div>
  );
}
