import type { FlowDefinition } from "../../../model/flow/definition.ts";
import { type CompletionStep, type FailurePattern, isSection } from "../../../model/flow/steps-registry.ts";
import type { Template } from "../../../model/template.ts";
import type { Draft } from "../check/draft.ts";
import { reachable } from "../check/paths.ts";
import { checkFrontmatter, checkRetryTemplate, checkVariables, suppliedTo } from "../check/variables.ts";
import type { ReadAgentFile } from "./agent.ts";
import { findPrompt, insideFlow, type PromptPlaces, promptCandidates, splitFrontmatter } from "./prompt-files.ts";

type Prompts = Pick<FlowDefinition, "systemPrompt" | "prompts" | "retryPrompts">;

/** What of the registry the prompts' checks need beyond the draft. */
export interface Completions {
  completionSteps: Readonly<Record<string, CompletionStep>>;
  failurePatterns: Readonly<Record<string, FailurePattern>>;
}

/** Every prompt of the agent, without frontmatter, checked against what is supplied to it. */
export function readPrompts(draft: Draft, read: ReadAgentFile, completions: Completions): Prompts {
  const places = { files: draft.files, json: draft.json, fallbackDir: read.fallbackDir };
  return {
    systemPrompt: systemPrompt(draft, read),
    prompts: stepPrompts(draft, read, places),
    retryPrompts: retryPrompts(draft, read, places, completions),
  };
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

/** A step that can never run does no harm: what is wrong with its prompt is a warning. */
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

/** `<closure step>/<pattern>` for each pattern's own text, `<closure step>/` for the text of all others. */
function retryPrompts(
  draft: Draft,
  { agent }: ReadAgentFile,
  places: PromptPlaces,
  { completionSteps, failurePatterns }: Completions,
): Record<string, Template> {
  const prompts: Record<string, Template> = {};
  for (const [stepId, { c2, c3 }] of Object.entries(completionSteps)) {
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
      checkVariables(draft, { file, prompt, supplied: suppliedTo(draft, agent, "retry") });
      prompts[`${stepId}/${name}`] = { file, text: prompt.body };
    }
  }
  return prompts;
}
