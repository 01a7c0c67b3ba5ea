import type { WorkflowFault } from "../../../model/flow/problem.ts";
import { WorkflowJson } from "../../../model/flow/workflow-json.ts";
import { nearest } from "../../nearest.ts";
import type { Report } from "../report.ts";
import { parsedJson } from "./json-file.ts";
import { readShape } from "./shape.ts";

/** The shape of a workflow.json, and that its phases and agents name each other. */
export function checkWorkflow(text: string, report: Report): void {
  const file = "workflow.json";
  const opened = parsedJson(file, text, report);
  const json = opened && readShape(opened.data, { schema: WorkflowJson, report, place: (path) => ({ file, path }) });
  if (!json) return;
  const say = (path: PropertyKey[], fault: WorkflowFault) => report.add("WORKFLOW_INVALID", { file, path }, fault);
  const names = { phase: Object.keys(json.phases), agent: Object.keys(json.agents) };
  const need = (kind: keyof typeof names, name: string | undefined, path: PropertyKey[]) => {
    if (name === undefined || names[kind].includes(name)) return;
    say(path, { fault: "unknown", kind, name, nearest: nearest(name, names[kind]) });
  };
  for (const [name, { type, priority, agent }] of Object.entries(json.phases)) {
    const path = ["phases", name];
    if (type === "actionable" && agent === undefined) say(path, { fault: "lacks", who: "actionable", key: "agent" });
    if (type === "actionable" && priority === undefined)
      say(path, { fault: "lacks", who: "actionable", key: "priority" });
    need("agent", agent, [...path, "agent"]);
  }
  for (const [label, phase] of Object.entries(json.labelMapping)) need("phase", phase, ["labelMapping", label]);
  for (const [name, agent] of Object.entries(json.agents)) checkAgent(name, agent, { say, need });
}

interface Says {
  say(path: PropertyKey[], fault: WorkflowFault): void;
  need(kind: "phase" | "agent", name: string | undefined, path: PropertyKey[]): void;
}

function checkAgent(name: string, agent: WorkflowJson["agents"][string], { say, need }: Says): void {
  const path = ["agents", name];
  if (agent.role === "transformer" && agent.outputPhase === undefined) {
    say(path, { fault: "lacks", who: "transformer", key: "outputPhase" });
  }
  if (agent.role === "validator" && agent.outputPhases === undefined) {
    say(path, { fault: "lacks", who: "validator", key: "outputPhases" });
  }
  need("phase", agent.outputPhase, [...path, "outputPhase"]);
  need("phase", agent.fallbackPhase, [...path, "fallbackPhase"]);
  for (const key of ["outputPhases", "fallbackPhases"] as const) {
    for (const [outcome, phase] of Object.entries(agent[key] ?? {})) need("phase", phase, [...path, key, outcome]);
  }
}
