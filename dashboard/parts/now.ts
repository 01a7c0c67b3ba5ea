import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const second = signal(Date.now());
let watchers = 0;
let ticking: ReturnType<typeof setInterval> | undefined;

/** The time, anew each second for as long as something shows it. */
export function useNow(isNeeded = true): number {
  useEffect(() => {
    if (!isNeeded) return;
    watchers += 1;
    ticking ??= setInterval(() => {
      second.value = Date.now();
    }, 1000);
    return () => {
      watchers -= 1;
      if (watchers > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, [isNeeded]);
  return isNeeded ? Math.max(second.value, Date.now() - 1000) : second.peek();
}
