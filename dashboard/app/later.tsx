import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Problem, problemOf } from "../data/source.ts";
import { ProblemBox, Waiting } from "../parts/bits.tsx";
import { source } from "./context.ts";

/** A part whose code comes when it is shown for the first time. */
export interface LaterPart<Props> {
  load: () => Promise<ComponentType<Props>>;
  loaded?: ComponentType<Props>;
}

export function Later<Props extends object>({ part, props }: { part: LaterPart<Props>; props: Props }) {
  const [, draw] = useState(0);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    setProblem(undefined);
    if (part.loaded) return;
    part.load().then(
      (loaded) => {
        part.loaded = loaded;
        draw((count) => count + 1);
      },
      (error: unknown) => void reasonFor(error).then(setProblem),
    );
  }, [part]);
  if (problem) return <ProblemBox problem={problem} again={loadPageAnew} />;
  const Part = part.loaded;
  return Part ? <Part {...props} /> : <Waiting />;
}

/** The browser only says that it has not got a file: without a server, or because a newer one has others. */
function reasonFor(error: unknown): Promise<Problem> {
  return source()
    .session()
    .then(() => problemOf(error), problemOf);
}

/** A browser remembers that a file was not there. */
function loadPageAnew(): void {
  source()
    .session()
    .then(
      () => location.reload(),
      () => {}, // it is tried again
    );
}
