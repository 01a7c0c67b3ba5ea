import type { DefinitionProblem } from "../../model/definition/agent-definition.ts";
import { WorkflowJson } from "../../model/definition/workflow-json.ts";
import { parsedJson } from "./agent-texts.ts";
import { nearest } from "./nearest.ts";
import { createReport, type Report } from "./report.ts";
import { readShape } from "./shape.ts";

/** Everything that is wrong with a workflow.json. */
export function workflowProblems(text: string, file = "workflow.json"): DefinitionProblem[] {
  const report = createReport();
  checkWorkflow(text, file, report);
  return report.problems();
}

/** The shape, and that phases and agents name each other. */
export function checkWorkflow(text: string, file: string, report: Report): void {
  const opened = parsedJson(file, text, report);
  const json = opened && readShape(opened.data, { schema: WorkflowJson, report, place: (path) => ({ file, path }) });
  if (!json) return;
  const say = (path: PropertyKey[], problem: string, fix: string) =>
    report.add("WORKFLOW_INVALID", { file, path }, { problem, fix });
  const names = { phase: Object.keys(json.phases), agent: Object.keys(json.agents) };
  const need = (kind: keyof typeof names, name: string | undefined, path: PropertyKey[]) => {
    if (name === undefined || names[kind].includes(name)) return;
    const meant = nearest(name, names[kind]);
    say(path, `There is no ${kind} "${name}".`, meant ? `Did you mean ${meant}?` : `Add it to ${kind}s.`);
  };
  for (const [name, { type, priority, agent }] of Object.entries(json.phases)) {
    const path = ["phases", name];
    if (type === "actionable" && agent === undefined) say(path, "An actionable phase needs an agent.", "Add agent.");
    if (type === "actionable" && priority === undefined)
      say(path, "An actionable phase needs a priority.", "Add priority.");
    need("agent", agent, [...path, "agent"]);
  }
  for (const [label, phase] of Object.entries(json.labelMapping)) need("phase", phase, ["labelMapping", label]);
  for (const [name, agent] of Object.entries(json.agents)) checkAgent(name, agent, { say, need });
}

interface Says {
  say(path: PropertyKey[], problem: string, fix: string): void;
  need(kind: "phase" | "agent", name: string | undefined, path: PropertyKey[]): void;
}

function checkAgent(name: string, agent: WorkflowJson["agents"][string], { say, need }: Says): void {
  const path = ["agents", name];
  if (agent.role === "transformer" && agent.outputPhase === undefined) {
    say(path, "A transformer needs outputPhase.", "Add the phase that follows its work.");
  }
  if (agent.role === "validator" && agent.outputPhases === undefined) {
    say(path, "A validator needs outputPhases.", "Add the phase that follows each outcome.");
  }
  need("phase", agent.outputPhase, [...path, "outputPhase"]);
  need("phase", agent.fallbackPhase, [...path, "fallbackPhase"]);
  for (const key of ["outputPhases", "fallbackPhases"] as const) {
    for (const [outcome, phase] of Object.entries(agent[key] ?? {})) need("phase", phase, [...path, key, outcome]);
  }
}
