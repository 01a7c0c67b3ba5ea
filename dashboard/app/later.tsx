import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Problem, problemOf } from "../data/source.ts";
import { ProblemBox, Waiting } from "../parts/bits.tsx";

/** A part whose code comes when it is shown for the first time. */
export interface LaterPart<Props> {
  load: () => Promise<ComponentType<Props>>;
  loaded?: ComponentType<Props>;
}

export function Later<Props extends object>({ part, props }: { part: LaterPart<Props>; props: Props }) {
  const [, draw] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    if (part.loaded) return;
    part.load().then(
      (loaded) => {
        part.loaded = loaded;
        draw(true);
      },
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [part]);
  if (problem) return <ProblemBox problem={problem} />;
  const Part = part.loaded;
  return Part ? <Part {...props} /> : <Waiting />;
}
