import { isRecord } from "../../model/json.ts";
import type { Words } from "../../model/statement.ts";

/** The runtime owns the step's id: whatever the output says, this is the step that ran. */
export function withStepId(output: unknown, stepId: string): { output: unknown; deviation?: Words } {
  if (!isRecord(output)) return { output };
  const corrected = { ...output, stepId };
  const said = output.stepId;
  if (said === undefined || said === stepId) return { output: corrected };
  const shown = JSON.stringify(said).slice(0, 100);
  const deviation = {
    en: `The output called its step ${shown}; it was recorded as ${stepId}.`,
    ja: `出力の stepId は ${shown} でしたが、${stepId} として記録しました。`,
  };
  return { output: corrected, deviation };
}
