/** More at a time take longer together than one after another: each needs a core to itself. */
const AT_ONCE = 2;
/** A process that hangs while it starts must not keep others from starting. */
const LONGEST_MILLISECONDS = 10_000;

let starting = 0;
const queue: (() => void)[] = [];

/**
 * Waits until one more may start, in this whole process. What it returns says that the start is over; saying so twice is
 * harmless. Throws when the signal comes first.
 */
export async function turnToStart(signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  if (starting < AT_ONCE) starting += 1;
  else await turn(signal);
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    passOn();
  };
  const timer = setTimeout(over, LONGEST_MILLISECONDS);
  timer.unref();
  return over;
}

/** The next in the queue starts instead, if there is one. */
function passOn(): void {
  const next = queue.shift();
  if (next) next();
  else starting -= 1;
}

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      queue.splice(queue.indexOf(go), 1);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    queue.push(go);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
