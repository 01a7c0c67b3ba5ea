import type { DefinitionProblem } from "../../model/flow/problem.ts";
import type { JapaneseProblems, ProblemWords } from "./ja-problem-text.ts";
import { jaFileProblems } from "./ja-problems-files.ts";
import { jaFlowProblems } from "./ja-problems-flow.ts";
import { jaPromptProblems } from "./ja-problems-prompts.ts";
import { jaStepProblems } from "./ja-problems-steps.ts";

/** Every problem of an agent's definition in Japanese; the compiler finds the ones that are missing. */
const jaProblems: JapaneseProblems = { ...jaFileProblems, ...jaStepProblems, ...jaFlowProblems, ...jaPromptProblems };

export function jaProblem({ code, details }: DefinitionProblem): ProblemWords {
  return (jaProblems[code as keyof JapaneseProblems] as (details: object) => ProblemWords)(details);
}
