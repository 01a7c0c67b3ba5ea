import { isRecord } from "./paths.ts";

/** The runtime owns the step's id: whatever the output says, this is the step that ran. */
export function withStepId(output: unknown, stepId: string): { output: unknown; deviation?: string } {
  if (!isRecord(output)) return { output };
  const corrected = { ...output, stepId };
  const said = output.stepId;
  if (said === undefined || said === stepId) return { output: corrected };
  const shown = JSON.stringify(said).slice(0, 100);
  return { output: corrected, deviation: `The output called its step ${shown}; it was recorded as ${stepId}.` };
}
