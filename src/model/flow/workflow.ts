import type { AgentChoice } from "../configuration.ts";
import type { IssueLabel } from "../issue.ts";

/** A workflow.json that is complete and consistent: its names exist, its defaults are filled in, its labels are those of the tracker. */
export interface Workflow {
  phases: Readonly<Record<string, WorkflowPhase>>;
  agents: Readonly<Record<string, WorkflowAgent>>;
  /** Labels, as the tracker has them, and the phases that they mean. The first label of a phase is the one that e8 sets. */
  labelPhases: readonly { label: string; phase: string }[];
  /** Every label that the workflow uses. */
  labels: readonly IssueLabel[];
  rules: WorkflowRules;
  /** By agent and outcome: `reviewerApproved`. */
  commentTemplates: Readonly<Record<string, string>>;
  prioritizer?: WorkflowPrioritizer;
  handoffs: readonly WorkflowHandoff[];
}

/** `priority`: the lower, the sooner. `runner`: who takes the steps that name no agent, in this phase. */
export type WorkflowPhase =
  | { type: "actionable"; priority: number; agent: string; runner?: AgentChoice }
  | { type: "terminal" }
  | { type: "blocking" };

export interface WorkflowAgent {
  /** The name of its definition under `.agent/`. */
  directory: string;
  /** Where an outcome leads. `success` is the outcome of a transformer that has done its work. */
  outputPhases: Readonly<Record<string, string>>;
  /** Where any other outcome leads. Without one, the issue stays where it is. */
  fallbackPhase?: string;
  /** Whether its work may be merged: a validator's verdict can be against it. */
  lands: boolean;
  closeOnComplete: boolean;
  /** The only outcome that closes the issue. */
  closeCondition?: string;
}

export interface WorkflowRules {
  /** Turns of an issue before it is blocked. */
  maxCycles: number;
  /** Between two turns of an issue. */
  cycleDelayMs: number;
  /** Turns in the same phase, one after the other, before the issue is blocked; 0: any number. */
  maxConsecutivePhases: number;
}

export interface WorkflowPrioritizer {
  agent: string;
  /** The most urgent first. */
  labels: readonly string[];
  defaultLabel?: string;
}

/** A file that is written when an agent ends with an outcome. */
export interface WorkflowHandoff {
  id: string;
  when: { fromAgent: string; outcome: string };
  /** Within the project; `${payload.key}` is filled in. */
  path: string;
  /** `'a text'`, `$.agent.result.key`, or a text with `${payload.key}`. */
  payloadFrom: Readonly<Record<string, string>>;
}
