import { parseRetryTemplate, retryTemplateNames } from "../../model/retry-template.ts";
import { conditionsOf } from "./check-completion-steps.ts";
import type { Draft } from "./draft.ts";
import type { PromptText } from "./frontmatter.ts";

/** What every retry prompt may use, whichever condition failed. */
const ALWAYS = ["validator", "validators", "evidence", "reason", "path", "suggestion"];

/** A retry prompt: blocks that close, and parameters that some validator gives. */
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
