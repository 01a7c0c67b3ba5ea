import { fillRetryTemplate } from "../../judgment/flow/retry-template.ts";
import { listed, type Statement } from "../../model/message.ts";
import { fillTemplate } from "../../model/template.ts";
import { visible } from "../prompt/quotes.ts";
import type { RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";
import type { ConditionOutcome } from "./validators.ts";

interface RetryInputs {
  closure: string;
  failed: readonly ConditionOutcome[];
  /** For `{uv-…}` in the author's own text; values that validators found are never expanded. */
  variables: Readonly<Record<string, string>>;
}

/** The prompt of the first failure's pattern, f_failed.md, or a plain list of the failures. */
export function retryPrompt({ tell }: RunContext, run: FlowRun, { closure, failed, variables }: RetryInputs): string {
  const { retryPrompts } = run.definition;
  const [first] = failed;
  const template = retryPrompts[`${closure}/${first?.failurePattern ?? ""}`] ?? retryPrompts[`${closure}/`];
  const found = failed.map((one) => ({ ...one, evidence: visible(tell(findings(one))) }));
  const list = found.map(({ validator, evidence }) => `- ${validator}: ${evidence}`).join("\n");
  const rendered =
    template &&
    fillRetryTemplate(template.text, paramsOf(found), (text) => fillTemplate({ ...template, text }, variables));
  if (typeof rendered !== "string") return `Completion was refused. What failed:\n\n${list}`;
  return visible(failed.length === 1 ? rendered : `${rendered}\n\nAll that failed:\n\n${list}`);
}

/** How the condition came out, then the quoted evidence. */
export function findings({ outcome, evidence }: ConditionOutcome): Statement {
  return listed([...(outcome ? [outcome] : []), ...(evidence ? [evidence] : [])], "\n");
}

/** What every retry prompt may use, and the validators' own parameters; of two with the same name, the first one's. */
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
