import { fileProblems } from "./problems/files.ts";
import { flowProblems } from "./problems/flow.ts";
import { promptProblems } from "./problems/prompts.ts";
import { runnerProblems } from "./problems/runner.ts";
import { stepProblems } from "./problems/steps.ts";

/** Every fault of a definition, by its stable code: what is wrong, why it matters, and how to fix it. */
export const problemTexts = {
  ...fileProblems,
  ...runnerProblems,
  ...stepProblems,
  ...flowProblems,
  ...promptProblems,
} as const;

export type ProblemTexts = typeof problemTexts;
export type ProblemCode = keyof typeof problemTexts;
export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemTexts)[C]>[0];
