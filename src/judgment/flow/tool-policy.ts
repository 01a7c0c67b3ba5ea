import type { ToolPolicy } from "../../model/agent.ts";
import type { StepKind } from "../../model/definition/steps-registry.ts";

export function toolPolicy(_stepKind: StepKind): ToolPolicy {
  return () => undefined;
}
