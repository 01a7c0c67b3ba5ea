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
const TICK = 2_000;
/** The server gives a sign of life every 15 seconds. A connection without one only looks alive: the laptop slept, or the network changed. */
const SILENT = 40_000;
/** A server that is there answers sooner. The browser may have asked it on a connection that has died. */
const UNANSWERED = 5_000;
/** After waking up, one sign may have been missed. */
const SILENT_AT_WAKING = 20_000;
/** A browser has six connections to a server, for all its pages: one that nobody sees leaves them to others after a while. */
const HIDDEN = 10_000;

/** Reads a stream of events until it is stopped, also across restarts of the server and sleeps of the machine. */
export function follow<T>(followed: Followed<T>): Stop {
  const batch = batched(followed.read);
  let source: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT;
  let wasOpen = false;
  let heard = Date.now();

  const close = () => {
    clearTimeout(waiting);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    heard = Date.now();
    source = new EventSource(followed.address());
    source.onopen = () => {
      heard = Date.now();
      wait = FIRST_WAIT;
      link.value = "live";
      if (wasOpen) followed.reopened?.();
      wasOpen = true;
    };
    source.addEventListener("here", () => {
      heard = Date.now();
    });
    source.addEventListener(followed.name, (event: MessageEvent<string>) => {
      heard = Date.now();
      batch.add(parseClean<T>(event.data));
    });
    source.onerror = () => {
      close();
      if (link.peek() !== "denied") link.value = "lost";
      waiting = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  };
  const stopWatching = watchPage({
    look: (patience) => {
      if (!source) return;
      const longest = source.readyState === EventSource.CONNECTING ? UNANSWERED : patience;
      if (Date.now() - heard > longest) open();
    },
    isAsleep: () => source === undefined,
    sleep: close,
    wake: open,
  });
  open();
  return () => {
    stopWatching();
    close();
    batch.stop();
  };
}

interface Watcher {
  /** Opens a connection anew on which nothing was heard for so long. */
  look: (patience: number) => void;
  isAsleep: () => boolean;
  sleep: Stop;
  wake: () => void;
}

function watchPage({ look, isAsleep, sleep, wake }: Watcher): Stop {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const clock = setInterval(() => look(SILENT), TICK);
  const woke = () => look(SILENT_AT_WAKING);
  const seen = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(sleep, HIDDEN);
    else if (isAsleep()) wake();
    else woke();
  };
  if (document.hidden) seen();
  addEventListener("online", woke);
  document.addEventListener("resume", woke);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(clock);
    clearTimeout(hiding);
    removeEventListener("online", woke);
    document.removeEventListener("resume", woke);
    document.removeEventListener("visibilitychange", seen);
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
