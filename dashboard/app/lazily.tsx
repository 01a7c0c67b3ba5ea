import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Problem, problemOf } from "../data/source.ts";
import { ProblemBox, Waiting } from "../parts/bits.tsx";

/** A part whose code comes when it is shown for the first time. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazily(props: Props) {
    const [, draw] = useState(false);
    const [problem, setProblem] = useState<Problem | undefined>();
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          draw(true);
        },
        (error: unknown) => setProblem(problemOf(error)),
      );
    }, []);
    if (problem) return <ProblemBox problem={problem} />;
    const Part = loaded;
    return Part ? <Part {...props} /> : <Waiting />;
  };
}
