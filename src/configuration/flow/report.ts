import { type DefinitionProblem, type ProblemCode, type ProblemParams, severityOf } from "../../model/flow/problem.ts";

/** Where something is wrong: a file of the agent's directory, and a path or a line in it. */
export interface Place {
  file: string;
  path?: readonly PropertyKey[];
  line?: number;
}

/** Collects what is wrong with a definition. Nothing is thrown: every check goes on. */
export interface Report {
  add<C extends ProblemCode>(code: C, place: Place, params: ProblemParams[C]): void;
  /** The same as a warning: it is about something that can never run. */
  warn<C extends ProblemCode>(code: C, place: Place, params: ProblemParams[C]): void;
  /** Tells the report how to find lines in a file; files are reported in the order in which they were given here. */
  knows(file: string, lineOf: (path: readonly PropertyKey[]) => number): void;
  /** What stands there was replaced by a guess after it had been reported: nothing more is said about it. */
  distrust(file: string, path: readonly PropertyKey[]): void;
  hasErrors(): boolean;
  problems(): DefinitionProblem[];
}

type LineOf = (path: readonly PropertyKey[]) => number;

export function createReport(): Report {
  const found: DefinitionProblem[] = [];
  const files = new Map<string, LineOf | undefined>();
  const distrusted: Place[] = [];

  const note = <C extends ProblemCode>(code: C, place: Place, params: ProblemParams[C]): DefinitionProblem => {
    const line = place.line ?? files.get(place.file)?.(place.path ?? []);
    if (!files.has(place.file)) files.set(place.file, undefined);
    const problem = { code, severity: severityOf(code), file: place.file, path: spelledPath(place.path ?? []), params };
    return line === undefined ? problem : { ...problem, line };
  };

  const isTrusted = (place: Place) => !distrusted.some((guess) => isWithin(place, guess));

  return {
    add: (code, place, params) => {
      if (isTrusted(place)) found.push(note(code, place, params));
    },
    warn: (code, place, params) => {
      if (isTrusted(place)) found.push({ ...note(code, place, params), severity: "warning" });
    },
    distrust: (file, path) => void distrusted.push({ file, path }),
    knows: (file, lineOf) => void files.set(file, lineOf),
    hasErrors: () => found.some(({ severity }) => severity === "error"),
    problems: () => inFileOrder(found, [...files.keys()]),
  };
}

function isWithin(place: Place, outer: Place): boolean {
  const path = place.path ?? [];
  return place.file === outer.file && (outer.path ?? []).every((step, index) => step === path[index]);
}

function inFileOrder(found: readonly DefinitionProblem[], files: readonly string[]): DefinitionProblem[] {
  const place = (problem: DefinitionProblem) => kindOf(problem.file) * 1e6 + files.indexOf(problem.file);
  return [...found].sort((left, right) => place(left) - place(right) || (left.line ?? 0) - (right.line ?? 0));
}

/** agent.json, what overrides it, the registry, schemas, prompts, and the rest. */
function kindOf(file: string): number {
  const order = [/^agent\.json$/, /config\.json$/, /^[^/]+\.json$/, /\.json$/, /\.md$/];
  const kind = order.findIndex((pattern) => pattern.test(file));
  return kind === -1 ? order.length : kind;
}

/** A JSON path as people write it: `steps["initial.task"].transitions.next`, `runner.boundaries.allowedTools[2]`. */
export function spelledPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}
