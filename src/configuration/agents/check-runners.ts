import { type Draft, stepPlace } from "./draft.ts";

/** Subprocess steps: `${context.name}` in their arguments must be a parameter. */
export function checkRunners(draft: Draft, parameters: readonly string[]): void {
  for (const { stepId, runner } of Object.values(draft.steps)) {
    if (!runner) continue;
    runner.args.forEach((argument, index) => {
      for (const [, name = ""] of argument.matchAll(/\$\{context\.([^}]*)\}/g)) {
        if (parameters.includes(name)) continue;
        draft.report.add("RUNNER_VARIABLE_UNKNOWN", stepPlace(draft, stepId, "runner", "args", index), { name });
      }
    });
  }
}
