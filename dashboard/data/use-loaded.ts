import { useEffect, useRef, useState } from "preact/hooks";
import { language } from "../texts/texts.ts";
import { type Problem, problemOf } from "./source.ts";

export interface Loaded<T> {
  value?: T;
  problem?: Problem;
  again: () => void;
}

/** Loads when `key` or the language changes; of several answers the last one asked for is shown. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: "" });
  const [attempt, setAttempt] = useState(0);
  const loading = useRef(load);
  loading.current = load;
  const whole = `${language.value} ${key}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt asks again for the same
  useEffect(() => {
    let isCurrent = true;
    loading.current().then(
      (value) => isCurrent && setState({ key: whole, value }),
      (error: unknown) => isCurrent && setState({ key: whole, problem: problemOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [whole, attempt]);
  const again = () => setAttempt((count) => count + 1);
  return state.key === whole
    ? {
        ...(state.value !== undefined && { value: state.value }),
        ...(state.problem && { problem: state.problem }),
        again,
      }
    : { again };
}
