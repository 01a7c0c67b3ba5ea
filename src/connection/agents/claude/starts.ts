/** More at a time take longer together than one after another: each needs a core to itself. */
const AT_ONCE = 2;
/** One that hangs while it starts must not keep the others from it. */
const LONGEST_MILLISECONDS = 10_000;

let starting = 0;
const queue: (() => void)[] = [];

/** Waits until one more may start, in this whole process. What it returns says that the start is over; saying so twice is harmless. */
export async function turnToStart(): Promise<() => void> {
  if (starting >= AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
  else starting += 1;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    const next = queue.shift();
    if (next) next();
    else starting -= 1;
  };
  const timer = setTimeout(over, LONGEST_MILLISECONDS);
  timer.unref();
  return over;
}
