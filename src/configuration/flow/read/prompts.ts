import type { FlowDefinition } from "../../../model/flow/definition.ts";
import { type CompletionStep, type FailurePattern, isSection } from "../../../model/flow/steps-registry.ts";
import type { Template } from "../../../model/template.ts";
import type { Draft } from "../check/draft.ts";
import { reachable } from "../check/paths.ts";
import { checkFrontmatter, checkRetryTemplate, checkVariables, suppliedTo } from "../check/variables.ts";
import type { ReadAgentFile } from "./agent.ts";
import { findPrompt, insideFlow, type PromptPlaces, promptCandidates, splitFrontmatter } from "./prompt-files.ts";

type Prompts = Pick<FlowDefinition, "systemPrompt" | "prompts" | "retryPrompts">;

/** Parts of the registry that the checks of prompts need besides the draft. */
export interface Completions {
  completionSteps: Readonly<Record<string, CompletionStep>>;
  failurePatterns: Readonly<Record<string, FailurePattern>>;
}

/** Every prompt of the flow without frontmatter, checked against the variables supplied to it. */
export function readPrompts(draft: Draft, read: ReadAgentFile, completions: Completions): Prompts {
  const places = { files: draft.files, json: draft.json, fallbackDir: read.fallbackDir };
  return {
    systemPrompt: systemPrompt(draft, read),
    prompts: stepPrompts(draft, read, places),
    retryPrompts: retryPrompts(draft, read, places, completions),
  };
}

/** The sentence of a semantic validator is a prompt for the judge. */
export function checkSentences(
  draft: Draft,
  { agent }: ReadAgentFile,
  completionSteps: Completions["completionSteps"],
) {
  const { validators = {} } = draft.json;
  for (const [stepId, { completionConditions }] of Object.entries(completionSteps)) {
    const closure = draft.steps[stepId];
    for (const { validator } of completionConditions) {
      const body = validators[validator]?.prompt;
      if (closure === undefined || body === undefined) continue;
      const place = { file: draft.file, path: ["validators", validator, "prompt"] };
      const supplied = suppliedTo(draft, agent, closure);
      checkVariables(draft, { ...place, prompt: { ...splitFrontmatter(""), body }, closure, supplied });
    }
  }
}

function systemPrompt(draft: Draft, { agent, place }: ReadAgentFile): Template {
  const file = insideFlow(agent.runner.flow.systemPromptPath);
  const text = draft.files.get(file);
  if (text === undefined) {
    draft.report.add("PROMPT_MISSING", place(["runner", "flow", "systemPromptPath"]), { tried: [file] });
    return { file, text: "" };
  }
  const prompt = splitFrontmatter(text);
  checkVariables(draft, { file, prompt, supplied: suppliedTo(draft, agent, "system") });
  return { file, text: prompt.body };
}

/** Problems in the prompt of a step that can never run are warnings. */
function stepPrompts(draft: Draft, { agent }: ReadAgentFile, places: PromptPlaces): Record<string, Template> {
  const reached = draft.entry === undefined ? undefined : reachable(draft.graph, [draft.entry]);
  const prompts: Record<string, Template> = {};
  for (const step of Object.values(draft.steps)) {
    if (step.runner) continue;
    const isIdle = isSection(step.stepId) || reached?.has(step.stepId) === false;
    const address = { ...step, fallbackKey: draft.json.steps[step.stepId]?.fallbackKey };
    const file = findPrompt(places, address);
    const say = isIdle ? draft.report.warn : draft.report.add;
    if (file === undefined) {
      const details = { step: step.stepId, tried: promptCandidates(places, address) };
      say("PROMPT_MISSING", { file: draft.file, path: ["steps", step.stepId] }, details);
      continue;
    }
    const prompt = splitFrontmatter(draft.files.get(file) ?? "");
    if (prompt.body.trim() === "") say("PROMPT_EMPTY", { file, line: 1 }, {});
    checkFrontmatter(draft, { file, prompt, step });
    checkVariables(draft, { file, prompt, step, isIdle, supplied: suppliedTo(draft, agent, step) });
    prompts[step.stepId] = { file, text: prompt.body };
  }
  return prompts;
}

/** Keys are `<closure step>/<pattern>`, and `<closure step>/` for patterns without a text of their own. */
function retryPrompts(
  draft: Draft,
  { agent }: ReadAgentFile,
  places: PromptPlaces,
  { completionSteps, failurePatterns }: Completions,
): Record<string, Template> {
  const prompts: Record<string, Template> = {};
  for (const [stepId, { c2, c3 }] of Object.entries(completionSteps)) {
    const closure = draft.steps[stepId];
    if (!closure) continue;
    const addresses = [
      ...Object.entries(failurePatterns).map(([name, { edition, adaptation }]) => ({ name, edition, adaptation })),
      { name: "", edition: "failed", adaptation: undefined },
    ];
    for (const { name, edition, adaptation } of addresses) {
      const [file] = promptCandidates(places, { c2, c3, edition, adaptation });
      const text = file === undefined ? undefined : draft.files.get(file);
      if (file === undefined || text === undefined) continue;
      const prompt = splitFrontmatter(text);
      checkRetryTemplate(draft, { file, prompt, pattern: name });
      checkVariables(draft, { file, prompt, closure, supplied: suppliedTo(draft, agent, closure) });
      prompts[`${stepId}/${name}`] = { file, text: prompt.body };
    }
  }
  return prompts;
}
