import type { DefinitionProblem, ProblemParams } from "../../model/flow/problem.ts";
import type { Language } from "../../model/language.ts";
import { filledIn } from "../message-texts.ts";
import { teller } from "../tell.ts";
import { conditionProblems } from "./conditions.ts";
import { fileProblems } from "./files.ts";
import { flowProblems } from "./flow.ts";
import { gateProblems } from "./gates.ts";
import type { ProblemText, ProblemTexts } from "./problem-text.ts";
import { promptProblems } from "./prompts.ts";
import { runnerProblems } from "./runner.ts";
import { stepAgentProblems } from "./step-agents.ts";
import { transitionProblems } from "./transitions.ts";

const problems: ProblemTexts<ProblemParams> = {
  ...fileProblems,
  ...runnerProblems,
  ...gateProblems,
  ...stepAgentProblems,
  ...transitionProblems,
  ...flowProblems,
  ...conditionProblems,
  ...promptProblems,
};

/** What is wrong with a definition at one place, in words. */
export function problemText({ code, params }: DefinitionProblem, language: Language): ProblemText {
  const [message, why, fix] = filledIn(problems[code][language], params, teller(language));
  return { message, why, fix };
}

/** `steps_registry.json:12 steps["initial.task"].c2` */
export function placeOf({ file, line, path }: DefinitionProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}${path && ` ${path}`}`;
}

/** A line for each problem of a definition. */
export function problemLines(found: readonly DefinitionProblem[], language: Language): string {
  return found.map((problem) => `  ${placeOf(problem)}: ${problemText(problem, language).message}`).join("\n");
}
