import { WorkflowJson } from "../../../model/flow/workflow-json.ts";
import type { Statement } from "../../../model/statement.ts";
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
  const say = (path: PropertyKey[], problem: Statement, fix: Statement) =>
    report.add("WORKFLOW_INVALID", { file, path }, { problem, fix });
  const names = { phase: Object.keys(json.phases), agent: Object.keys(json.agents) };
  const need = (kind: keyof typeof names, name: string | undefined, path: PropertyKey[]) => {
    if (name === undefined || names[kind].includes(name)) return;
    const meant = nearest(name, names[kind]);
    say(path, { en: `There is no ${kind} "${name}".`, ja: `${kind} "${name}" がありません。` }, adviceFor(kind, meant));
  };
  for (const [name, { type, priority, agent }] of Object.entries(json.phases)) {
    const path = ["phases", name];
    if (type === "actionable" && agent === undefined) say(path, ...lacks("An actionable phase", "agent"));
    if (type === "actionable" && priority === undefined) say(path, ...lacks("An actionable phase", "priority"));
    need("agent", agent, [...path, "agent"]);
  }
  for (const [label, phase] of Object.entries(json.labelMapping)) need("phase", phase, ["labelMapping", label]);
  for (const [name, agent] of Object.entries(json.agents)) checkAgent(name, agent, { say, need });
}

interface Says {
  say(path: PropertyKey[], problem: Statement, fix: Statement): void;
  need(kind: "phase" | "agent", name: string | undefined, path: PropertyKey[]): void;
}

function checkAgent(name: string, agent: WorkflowJson["agents"][string], { say, need }: Says): void {
  const path = ["agents", name];
  if (agent.role === "transformer" && agent.outputPhase === undefined) {
    say(path, ...lacks("A transformer", "outputPhase"));
  }
  if (agent.role === "validator" && agent.outputPhases === undefined) {
    say(path, ...lacks("A validator", "outputPhases"));
  }
  need("phase", agent.outputPhase, [...path, "outputPhase"]);
  need("phase", agent.fallbackPhase, [...path, "fallbackPhase"]);
  for (const key of ["outputPhases", "fallbackPhases"] as const) {
    for (const [outcome, phase] of Object.entries(agent[key] ?? {})) need("phase", phase, [...path, key, outcome]);
  }
}

const WHO = {
  "An actionable phase": "actionable のフェーズ",
  "A transformer": "transformer",
  "A validator": "validator",
} as const;

const ARTICLES: Readonly<Record<string, string>> = { agent: "an ", priority: "a " };

function lacks(who: keyof typeof WHO, key: string): [problem: Statement, fix: Statement] {
  return [
    { en: `${who} needs ${ARTICLES[key] ?? ""}${key}.`, ja: `${WHO[who]} には ${key} が必要です。` },
    { en: `Add ${key}.`, ja: `${key} を追加してください。` },
  ];
}

function adviceFor(kind: string, meant: string | undefined): Statement {
  return meant
    ? { en: `Did you mean ${meant}?`, ja: `${meant} ではありませんか。` }
    : { en: `Add it to ${kind}s.`, ja: `${kind}s に追加してください。` };
}
