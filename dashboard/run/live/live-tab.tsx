import { useEffect, useRef, useState } from "preact/hooks";
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
    <section class="live" aria-label={words.title}>
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
        <Lines key={kind} events={events} isFollowing={isFollowing} setFollowing={setFollowing} />
      )}
    </section>
  );
}

/** Keeps what was filtered: of a batch only what is new is looked at. */
function useShown(store: RunStore, kind: Kind): readonly StreamedEvent[] {
  const kept = useRef<{ kind: Kind; shown: StreamedEvent[]; last: number; first: number }>({
    kind,
    shown: [],
    last: 0,
    first: 0,
  });
  store.version.value; // drawn anew with each batch
  const first = store.events[0]?.seq ?? 0;
  const state = kept.current;
  if (state.kind !== kind || state.first !== first) kept.current = { kind, first, last: 0, shown: [] };
  const { shown, last } = kept.current;
  const from = last === 0 ? 0 : store.events.findLastIndex(({ seq }) => seq <= last) + 1;
  for (const event of store.events.slice(from)) if (isShown(event, kind)) shown.push(event);
  kept.current.last = store.events.at(-1)?.seq ?? 0;
  return shown;
}

interface Listed {
  events: readonly StreamedEvent[];
  isFollowing: boolean;
  setFollowing: (isFollowing: boolean) => void;
}

function Lines({ events, isFollowing, setFollowing }: Listed) {
  const words = texts().live;
  const { scroller, virtual } = useVirtual({ count: events.length, size: () => LINE, beyond: 12 });
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (isFollowing) virtual.scrollToIndex(events.length - 1, { align: "end" });
  }, [events.length, isFollowing, virtual]);
  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    if (isAtEnd && !isFollowing) setFollowing(true);
  };
  const leave = () => {
    if (!isFollowing) return;
    setLeft(events.length);
    setFollowing(false);
  };
  return (
    <div class="stream">
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
        <div class="lines" style={{ blockSize: `${virtual.getTotalSize()}px` }}>
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
      {!isFollowing && events.length > left && (
        <button type="button" class="main to-end" onClick={() => setFollowing(true)}>
          ↓ {words.latest(events.length - left)}
        </button>
      )}
    </div>
  );
}
