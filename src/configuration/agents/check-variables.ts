import type { Step } from "../../model/flow/steps-registry.ts";
import { placeholdersIn } from "../../model/template.ts";
import type { Draft } from "./draft.ts";
import { runsBefore } from "./flow-paths.ts";
import type { PromptText } from "./frontmatter.ts";
import { nearest } from "./nearest.ts";
import { inputNames, type Supply } from "./supplied.ts";

interface Prompt {
  file: string;
  prompt: PromptText;
  step?: Step;
  /** The step can never run: nothing here hinders. */
  isIdle?: boolean;
  supplied: ReadonlyMap<string, Supply>;
}

/** Variables: what a prompt uses must be supplied; what a step declares should be used, and the other way round. */
export function checkVariables(draft: Draft, prompt: Prompt): void {
  const used = usedVariables(prompt.prompt);
  for (const [name, line] of used) checkUse(draft, prompt, name, line);
  const { step } = prompt;
  step?.uvVariables.forEach((name, index) => {
    const place = { file: draft.file, path: ["steps", step.stepId, "uvVariables", index] };
    if (!used.has(name)) draft.report.add("VARIABLE_UNUSED", place, { name });
  });
}

function checkUse(draft: Draft, { file, step, isIdle, supplied }: Prompt, name: string, line: number): void {
  const { report } = draft;
  const place = { file, line };
  const supply = supplied.get(name);
  if (!supply) {
    const say = isIdle ? report.warn : report.add;
    say("VARIABLE_UNSUPPLIED", place, { name, nearest: nearest(name, [...supplied.keys()]) });
  } else if (supply.kind === "optional") report.add("VARIABLE_OPTIONAL", place, { name, cli: supply.cli });
  else if (supply.kind === "handoff" && !isSure(draft, supply.step, step)) {
    report.add("VARIABLE_NOT_ALWAYS", place, { name, step: supply.step });
  }
  const isDeclared = !step || step.uvVariables.includes(name) || inputNames(step).includes(name);
  if (supply && supply.kind !== "handoff" && !isDeclared) report.add("VARIABLE_UNDECLARED", place, { name });
}

function isSure({ graph, entry }: Draft, before: string, step: Step | undefined): boolean {
  return entry !== undefined && step !== undefined && runsBefore(graph, entry, before, step.stepId) === "always";
}

/** Each `{uv-name}` of a prompt, with the line of its first use. */
function usedVariables({ body, offset }: PromptText): Map<string, number> {
  const used = new Map<string, number>();
  body.split("\n").forEach((text, index) => {
    for (const name of placeholdersIn(text)) if (!used.has(name)) used.set(name, offset + index + 1);
  });
  return used;
}

/** Frontmatter repeats the registry for its readers; where the two differ, one is out of date. */
export function checkFrontmatter(
  { report }: Draft,
  { file, prompt, step }: { file: string; prompt: PromptText; step: Step },
): void {
  const place = { file, line: 1 };
  if (prompt.problem !== undefined) report.add("PROMPT_FRONTMATTER", place, { problem: prompt.problem });
  const { stepId, uvVariables, customVariables } = prompt.front;
  if (typeof stepId === "string" && stepId !== step.stepId) {
    report.add("PROMPT_FRONTMATTER_DIFFERS", place, { key: "stepId", said: stepId, step: step.stepId });
  }
  if (Array.isArray(uvVariables) && !sameNames(uvVariables, step.uvVariables)) {
    const [said, own] = [uvVariables, step.uvVariables].map((names) => names.join(", ") || "none");
    report.add("PROMPT_FRONTMATTER_DIFFERS", place, { key: "uvVariables", said: said ?? "", step: own ?? "" });
  }
  if (!Array.isArray(customVariables)) return;
  for (const name of customVariables) report.add("PROMPT_CUSTOM_VARIABLE", place, { name: String(name) });
}

function sameNames(left: readonly unknown[], right: readonly unknown[]): boolean {
  return [...left].map(String).sort().join("\n") === [...right].map(String).sort().join("\n");
}
