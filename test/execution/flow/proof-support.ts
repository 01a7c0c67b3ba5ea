import type { CommandRequest } from "../../../src/connection/ports/commands.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";

export const STEPS = {
  "initial.task": gated("work", { handoff: "closure.task", repeat: "initial.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
export const command = (text: string) => ({
  type: "command" as const,
  command: text,
  successWhen: { kind: "exitCode" as const, code: 0 },
  extractParams: {},
});
export const PASSING = { "initial.task": says("handoff"), "closure.task": says("closing") };
export const inRoom = ({ place }: CommandRequest) => place !== undefined;

/** The judge calls the criterion of this number met. */
export function judgedAs(id: number) {
  const evaluations = [{ id, criterion: "", is_met: true, evidence: "the record says so", confidence: 0.9 }];
  return { structured: { is_complete: true, evaluations, overall_reason: "", suggested_next_action: null } };
}

/** A flow that closes whenever it can; its condition `tests` fails before the work and passes after it. */
export function flow(options: Partial<FlowOptions> = {}) {
  let runs = 0;
  return runFlow({
    steps: STEPS,
    validators: { tests: command("npm test") },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "tests" }] } },
    github: { enabled: true },
    parameters: { issue: 7 },
    proof: {},
    checks: ({ command: text }) => (text === "npm test" && ++runs === 1 ? 1 : 0),
    script: { executor: ({ step_id }) => PASSING[step_id as keyof typeof PASSING] },
    ...options,
    settings: { proof: "auto", max_iterations: 8, ...options.settings },
  });
}
