import { agentFrom } from "../../../model/agent-choice.ts";
import type { AgentChoice } from "../../../model/configuration.ts";
import type { WorkflowFault } from "../../../model/flow/problem.ts";
import type { Workflow, WorkflowAgent, WorkflowPhase } from "../../../model/flow/workflow.ts";
import { WorkflowJson } from "../../../model/flow/workflow-json.ts";
import { nearest } from "../../nearest.ts";
import { type FlowAgents, knownAgent } from "../check/step-agents.ts";
import type { Report } from "../report.ts";
import { parsedJson } from "./json-file.ts";
import { readShape } from "./shape.ts";
import { notesOnWorkflow } from "./workflow-notes.ts";

const FILE = "workflow.json";

/** Reads a workflow.json. Undefined where it has an error: all of them are in the report. */
export function readWorkflow(text: string, report: Report, agents: FlowAgents): Workflow | undefined {
  const opened = parsedJson(FILE, text, report);
  const place = (path: readonly PropertyKey[]) => ({ file: FILE, path });
  const json = opened && readShape(opened.data, { schema: WorkflowJson, report, place });
  if (!json) return undefined;
  checkNames(json, report);
  checkRunners(json, report, agents);
  notesOnWorkflow(json, (path, key, reason) => report.add("AGENT_KEY_WITHOUT_EFFECT", place(path), { key, reason }));
  return report.hasErrors() ? undefined : resolved(json);
}

interface Says {
  say(path: PropertyKey[], fault: WorkflowFault): void;
  need(kind: "phase" | "agent" | "label", name: string | undefined, path: PropertyKey[]): void;
}

/** The phases and agents that name each other must exist. */
function checkNames(json: WorkflowJson, report: Report): void {
  const say: Says["say"] = (path, fault) => report.add("WORKFLOW_INVALID", { file: FILE, path }, fault);
  const names = {
    phase: Object.keys(json.phases),
    agent: Object.keys(json.agents),
    label: json.prioritizer?.labels ?? [],
  };
  const need: Says["need"] = (kind, name, path) => {
    if (name === undefined || names[kind].includes(name)) return;
    say(path, { fault: "unknown", kind, name, nearest: nearest(name, names[kind]) });
  };
  for (const [name, { type, priority, agent }] of Object.entries(json.phases)) {
    const path = ["phases", name];
    if (type === "actionable" && !agent) say(path, { fault: "lacks", who: "actionable", key: "agent" });
    if (type === "actionable" && priority === undefined)
      say(path, { fault: "lacks", who: "actionable", key: "priority" });
    need("agent", agent ?? undefined, [...path, "agent"]);
  }
  if (Object.keys(json.labelMapping).length === 0) say(["labelMapping"], { fault: "no_labels" });
  for (const [label, phase] of Object.entries(json.labelMapping)) need("phase", phase, ["labelMapping", label]);
  for (const [name, agent] of Object.entries(json.agents)) checkAgent(name, agent, { say, need });
  for (const [index, { when }] of (json.handoffs ?? []).entries())
    need("agent", when.fromAgent, ["handoffs", index, "when", "fromAgent"]);
  need("label", json.prioritizer?.defaultLabel, ["prioritizer", "defaultLabel"]);
}

/** Only the agent of an actionable phase runs. */
function checkRunners({ phases }: WorkflowJson, report: Report, agents: FlowAgents): void {
  for (const [name, { type, runner }] of Object.entries(phases)) {
    const place = { file: FILE, path: ["phases", name, "runner", "agent"] };
    knownAgent(runner?.agent, agents, report, place);
    if (runner && type !== "actionable")
      report.add("AGENT_KEY_WITHOUT_EFFECT", place, { key: "runner", reason: "phase_rests" });
  }
}

type AgentJson = WorkflowJson["agents"][string];

function checkAgent(name: string, agent: AgentJson, { say, need }: Says): void {
  const path = ["agents", name];
  const key = agent.role === "transformer" ? "outputPhase" : "outputPhases";
  if (agent[key] === undefined) say(path, { fault: "lacks", who: agent.role, key });
  need("phase", agent.outputPhase, [...path, "outputPhase"]);
  need("phase", agent.fallbackPhase, [...path, "fallbackPhase"]);
  for (const key of ["outputPhases", "fallbackPhases"] as const)
    for (const [outcome, phase] of Object.entries(agent[key] ?? {})) need("phase", phase, [...path, key, outcome]);
  const { closeOnComplete, closeCondition: outcome } = closingOf(agent);
  if (outcome === undefined) return;
  const at = [...path, ...(agent.closeBinding ? ["closeBinding", "condition"] : ["closeCondition"])];
  const known = Object.keys(outputPhases(agent));
  if (!closeOnComplete && !agent.closeBinding) say(at, { fault: "never_closes" });
  if (!known.includes(outcome)) say(at, { fault: "outcome_unknown", outcome, known });
}

/** A `closeBinding` says the same as the two keys of earlier files, and takes their place. */
function closingOf({ closeBinding, closeOnComplete = false, closeCondition }: AgentJson) {
  if (closeBinding === undefined) return { closeOnComplete, closeCondition };
  const { primary, condition } = closeBinding;
  return { closeOnComplete: !["none", "custom"].includes(primary.kind), closeCondition: condition };
}

/** A transformer has one outcome of its own; for others it may name phases, too. */
function outputPhases({ role, outputPhase = "", outputPhases = {}, fallbackPhases = {} }: AgentJson) {
  return role === "validator" ? outputPhases : { ...fallbackPhases, success: outputPhase };
}

function resolved(json: WorkflowJson): Workflow {
  const { prioritizer, handoff, handoffs = [] } = json;
  return {
    phases: mapped(json.phases, phaseOf),
    agents: mapped(json.agents, agentOf),
    labelPhases: Object.entries(json.labelMapping).map(([label, phase]) => ({ label: prefixed(label, json), phase })),
    labels: labelsOf(json),
    rules: rulesOf(json),
    commentTemplates: handoff?.commentTemplates ?? {},
    handoffs: handoffs.map(({ id, when, emit: { path }, payloadFrom }) => ({ id, when, path, payloadFrom })),
    ...(prioritizer && { prioritizer: withoutUndefined(prioritizer) }),
  };
}

function rulesOf({ rules = {} }: WorkflowJson): Workflow["rules"] {
  const { maxCycles = 5, cycleDelayMs = 10_000, maxConsecutivePhases = 0 } = rules;
  return { maxCycles, cycleDelayMs, maxConsecutivePhases };
}

function phaseOf({ type, priority = 0, agent, runner }: WorkflowJson["phases"][string]): WorkflowPhase {
  if (type !== "actionable") return { type };
  const runs = runner && { runner: agentFrom(runner.agent) as AgentChoice };
  return { type, priority, agent: agent ?? "", ...runs };
}

function agentOf(agent: AgentJson, name: string): WorkflowAgent {
  const { directory = name, fallbackPhase } = agent;
  const { closeOnComplete, closeCondition } = closingOf(agent);
  const optional = withoutUndefined({ fallbackPhase, closeCondition });
  const lands = agent.role === "transformer";
  return { directory, outputPhases: outputPhases(agent), lands, closeOnComplete, ...optional };
}

/** Those of the phases carry the prefix; the others are named as they are. */
function labelsOf(json: WorkflowJson): Workflow["labels"] {
  const described = Object.entries(json.labels ?? {}).map(([name, { color, description }]) => ({
    name: Object.hasOwn(json.labelMapping, name) ? prefixed(name, json) : name,
    ...withoutUndefined({ color, description }),
  }));
  const named = [
    ...Object.keys(json.labelMapping).map((label) => prefixed(label, json)),
    ...(json.prioritizer?.labels ?? []),
  ];
  const others = [...new Set(named)].filter((name) => !described.some((label) => label.name === name));
  return [...described, ...others.map((name) => ({ name }))];
}

/** `docs` makes `docs:ready` of `ready`. */
function prefixed(label: string, { labelPrefix }: WorkflowJson): string {
  return labelPrefix ? `${labelPrefix}:${label}` : label;
}

function mapped<A, B>(record: Readonly<Record<string, A>>, map: (value: A, name: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
