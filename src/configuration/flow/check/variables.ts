import type { AgentFile } from "../../../model/flow/agent-file.ts";
import type { Step } from "../../../model/flow/steps-registry.ts";
import {
  handoffName,
  handoffValuesOf,
  runtimeVariables,
  stdinVariables,
  systemVariables,
} from "../../../model/flow/variables.ts";
import { parseRetryTemplate, retryTemplateNames } from "../../../model/retry-template.ts";
import { placeholdersIn } from "../../../model/template.ts";
import { nearest } from "../../nearest.ts";
import type { PromptText } from "../read/prompt-files.ts";
import { conditionsOf } from "./completion-steps.ts";
import type { Draft } from "./draft.ts";
import { sourceOf } from "./inputs.ts";
import { runsBefore } from "./paths.ts";

interface Prompt {
  file: string;
  /** In the file, where the text is not all of it. */
  path?: readonly PropertyKey[];
  prompt: PromptText;
  step?: Step;
  /** For a text of the completion loop: the closure step that it belongs to. */
  closure?: Step;
  /** The step can never run, so its problems are warnings. */
  isIdle?: boolean;
  supplied: ReadonlyMap<string, Supply>;
}

/** Every variable in a prompt must be supplied, and should be declared by the step; declared ones should be used. */
export function checkVariables(draft: Draft, prompt: Prompt): void {
  const used = usedVariables(prompt.prompt);
  for (const [name, line] of used) checkUse(draft, prompt, name, line);
  const { step } = prompt;
  step?.uvVariables.forEach((name, index) => {
    const place = { file: draft.file, path: ["steps", step.stepId, "uvVariables", index] };
    if (!used.has(name)) draft.report.add("VARIABLE_UNUSED", place, { name });
  });
}

function checkUse(draft: Draft, prompt: Prompt, name: string, line: number): void {
  const { file, path, step, isIdle, supplied } = prompt;
  const { report } = draft;
  const place = path ? { file, path } : { file, line };
  const supply = supplied.get(name);
  if (!supply) {
    const say = isIdle ? report.warn : report.add;
    say("VARIABLE_UNSUPPLIED", place, { name, nearest: nearest(name, [...supplied.keys()]) });
  } else if (supply.kind === "optional") report.add("VARIABLE_OPTIONAL", place, { name, cli: supply.cli });
  else if (supply.kind === "handoff" && !isSure(draft, supply.step, prompt)) {
    report.add("VARIABLE_NOT_ALWAYS", place, { name, step: supply.step });
  }
  const isDeclared = !step || step.uvVariables.includes(name) || inputNames(step).includes(name);
  if (supply && supply.kind !== "handoff" && !isDeclared) report.add("VARIABLE_UNDECLARED", place, { name });
}

/** A closure step's own values are there once it has said closing. */
function isSure({ graph, entry }: Draft, before: string, { step, closure }: Prompt): boolean {
  const at = (step ?? closure)?.stepId;
  if (entry === undefined || at === undefined) return false;
  return before === closure?.stepId || runsBefore(graph, entry, before, at) === "always";
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
    report.add("PROMPT_FRONTMATTER_DIFFERS", place, { key: "stepId", front: stepId, step: step.stepId });
  }
  if (Array.isArray(uvVariables) && !sameNames(uvVariables, step.uvVariables)) {
    const [front, own] = [uvVariables, step.uvVariables].map((names) => names.join(", ") || "none");
    report.add("PROMPT_FRONTMATTER_DIFFERS", place, { key: "uvVariables", front: front ?? "", step: own ?? "" });
  }
  if (!Array.isArray(customVariables)) return;
  for (const name of customVariables) report.add("PROMPT_CUSTOM_VARIABLE", place, { name: String(name) });
}

function sameNames(left: readonly unknown[], right: readonly unknown[]): boolean {
  return [...left].map(String).sort().join("\n") === [...right].map(String).sort().join("\n");
}

/** Parameters that every retry prompt has, whichever condition failed. */
const ALWAYS = ["validator", "validators", "evidence", "reason", "path", "suggestion"];

/** Checks that the blocks of a retry prompt are closed and that some validator gives each of its parameters. */
export function checkRetryTemplate(
  draft: Draft,
  { file, prompt, pattern }: { file: string; prompt: PromptText; pattern: string },
): void {
  const { report } = draft;
  const parsed = parseRetryTemplate(prompt.body);
  if ("problem" in parsed) {
    report.add("RETRY_TEMPLATE_BROKEN", { file, line: prompt.offset + parsed.line }, { problem: parsed.problem });
    return;
  }
  const known = givenBy(draft, pattern);
  for (const [name, line] of retryTemplateNames(parsed.nodes)) {
    const place = { file, line: prompt.offset + line };
    if (!known.has(name)) report.add("RETRY_PARAM_UNKNOWN", place, { name, known: [...known] });
  }
}

/** Every retry prompt gets the parameters of all failed conditions, so those of every validator count. */
function givenBy(draft: Draft, pattern: string): Set<string> {
  const { json } = draft;
  const patterns = json.completionPatterns ?? json.failurePatterns ?? {};
  const entries = Object.values(json.completionSteps ?? json.validationSteps ?? {});
  return new Set([
    ...(patterns[pattern]?.params ?? []),
    ...Object.values(json.validators ?? {}).flatMap(({ extractParams }) => Object.keys(extractParams ?? {})),
    ...entries.flatMap(conditionsOf).flatMap(({ params }) => Object.keys(params ?? {})),
    ...ALWAYS,
  ]);
}

/** Whether a variable is certain to have a value when a prompt is filled. */
export type Supply =
  | { kind: "sure" }
  | { kind: "optional"; cli: string }
  // Has a value when that step has run before.
  | { kind: "handoff"; step: string };

/** Everything that is supplied to a prompt of a step or of its completion loop, or to the system prompt, by variable name. */
export function suppliedTo(draft: Draft, agent: AgentFile, to: Step | "system"): Map<string, Supply> {
  const supplied = new Map<string, Supply>();
  for (const [name, supply] of handedOn(draft, to)) supplied.set(name, supply);
  for (const name of [...runtimeVariables, ...extra(to)]) supplied.set(name, { kind: "sure" });
  if (typeof to === "object") for (const name of inputNames(to)) supplied.set(name, { kind: "sure" });
  for (const [name, { cli, required, default: fallback }] of Object.entries(agent.parameters)) {
    const isSure = required || fallback !== undefined;
    if (isSure || !supplied.has(name)) supplied.set(name, isSure ? { kind: "sure" } : { kind: "optional", cli });
  }
  return supplied;
}

function extra(to: Step | "system"): readonly string[] {
  if (to === "system") return systemVariables;
  return typeof to === "object" && to.usesStdin ? stdinVariables : [];
}

/** An input is supplied under its own name and under the name of the value it takes. */
export function inputNames(step: Step): string[] {
  return Object.entries(step.inputs).flatMap(([variable, input]) => {
    const source = sourceOf(input);
    const isSure = input.required || input.default !== undefined;
    if (!isSure) return [];
    return source ? [variable, handoffName(source.step, source.key)] : [variable];
  });
}

/** Values handed on are supplied to every later step; which steps are later depends on the path. */
function handedOn({ steps }: Draft, to: Step | "system"): [string, Supply][] {
  if (to === "system") return [];
  return handoffValuesOf(steps).map(({ step, variable }) => [variable, { kind: "handoff", step }]);
}
