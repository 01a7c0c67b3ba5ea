import { parseClean } from "./clean.ts";
import { link } from "./link.ts";
import type { Stop } from "./source.ts";

interface Followed<T> {
  /** Asked for at each attempt: it says where to go on. */
  address: () => string;
  name: string;
  /** Gets what has arrived since the last picture. */
  read: (items: T[]) => void;
  /** The connection was lost and is there again: something may have been missed. */
  reopened?: () => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** A laptop that slept for this long may have a connection that only looks alive. */
const SLEPT = 30_000;
const TICK = 5_000;

/** Reads a stream of events until it is stopped, also across restarts of the server and sleeps of the machine. */
export function follow<T>(followed: Followed<T>): Stop {
  const batch = batched(followed.read);
  let source: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT;
  let wasOpen = false;

  const open = () => {
    clearTimeout(waiting);
    source?.close();
    source = new EventSource(followed.address());
    source.onopen = () => {
      wait = FIRST_WAIT;
      link.value = "live";
      if (wasOpen) followed.reopened?.();
      wasOpen = true;
    };
    source.addEventListener(followed.name, (event: MessageEvent<string>) => batch.add(parseClean<T>(event.data)));
    source.onerror = () => {
      source?.close();
      if (link.peek() !== "denied") link.value = "lost";
      waiting = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  };
  const stopWatching = onWaking(open);
  open();
  return () => {
    clearTimeout(waiting);
    stopWatching();
    source?.close();
    batch.stop();
  };
}

function onWaking(woke: () => void): Stop {
  let last = Date.now();
  const clock = setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT) woke();
    last = now;
  }, TICK);
  addEventListener("online", woke);
  return () => {
    clearInterval(clock);
    removeEventListener("online", woke);
  };
}

/** Ten thousand events a minute are drawn sixty times a second at most; a hidden page is brought up to date now and then. */
function batched<T>(read: (items: T[]) => void): { add: (item: T) => void; stop: Stop } {
  let items: T[] = [];
  let isPlanned = false;
  let isStopped = false;
  const flush = () => {
    isPlanned = false;
    const arrived = items;
    items = [];
    if (!isStopped) read(arrived);
  };
  return {
    add: (item) => {
      items.push(item);
      if (isPlanned) return;
      isPlanned = true;
      if (document.hidden) setTimeout(flush, 500);
      else requestAnimationFrame(flush);
    },
    stop: () => {
      isStopped = true;
    },
  };
}
