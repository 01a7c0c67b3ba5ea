import { fillRetryTemplate } from "../../judgment/flow/retry-template.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import { fillTemplate } from "../../model/template.ts";
import type { ConditionOutcome } from "./validators.ts";

interface Refused {
  closure: string;
  failed: readonly ConditionOutcome[];
  /** For `{uv-…}` in the author's own text; what validators saw is never expanded. */
  variables: Readonly<Record<string, string>>;
}

/** The first failure's pattern's own text, f_failed.md, or a plain list of what failed. */
export function retryPrompt({ retryPrompts }: FlowDefinition, { closure, failed, variables }: Refused): string {
  const [first] = failed;
  const template = retryPrompts[`${closure}/${first?.failurePattern ?? ""}`] ?? retryPrompts[`${closure}/`];
  const listed = failed.map(({ validator, evidence }) => `- ${validator}: ${evidence}`).join("\n");
  const rendered =
    template &&
    fillRetryTemplate(template.text, paramsOf(failed), (text) => fillTemplate({ ...template, text }, variables));
  if (typeof rendered !== "string") return `Completion was refused. What failed:\n\n${listed}`;
  return failed.length === 1 ? rendered : `${rendered}\n\nAll that failed:\n\n${listed}`;
}

/** What every retry prompt may use, and what the validators found; of two that found the same, the first one's. */
function paramsOf(failed: readonly ConditionOutcome[]): Record<string, unknown> {
  const [first] = failed;
  return Object.assign(
    {
      validator: first?.validator,
      validators: failed.map(({ validator }) => validator),
      evidence: first?.evidence,
      reason: first?.evidence,
    },
    ...failed.map(({ params }) => params).reverse(),
  );
}
