import type { Statement } from "../message.ts";
import type { CompletionType, Parameter } from "./agent-file.ts";
import type { StepCapability } from "./step-needs.ts";

/** One thing wrong with a definition, without sentences: those stand in `src/texts/problems`, by code. */
export interface DefinitionProblem<C extends ProblemCode = ProblemCode> {
  /** Stable. */
  code: C;
  severity: Severity;
  /** Relative to the flow's directory. */
  file: string;
  /** JSON path, such as `steps["initial.task"].transitions.next`; empty for the file as a whole. */
  path: string;
  line?: number;
  /** The values that the sentences are about. */
  params: ProblemParams[C];
}

/** A definition with an error does not start. */
export type Severity = "error" | "warning";

/** Every problem by its code, with its values. */
export interface ProblemParams
  extends FileProblems,
    RunnerProblems,
    GateProblems,
    StepAgentProblems,
    TransitionProblems,
    FlowProblems,
    ConditionProblems,
    PromptProblems {}
export type ProblemCode = keyof ProblemParams;

interface Named {
  /** The known name that was probably meant. */
  nearest: string | undefined;
}

/** Files as such, and their shape. */
export interface FileProblems {
  AGENT_FILE_MISSING: { file: string };
  AGENT_JSON_BROKEN: { problem: Statement };
  AGENT_JSON_DUPLICATE_KEY: { key: string };
  AGENT_UNKNOWN_KEY: Named & { key: string; known: readonly string[] };
  AGENT_KEY_MISSING: { key: string; needed: Statement | undefined };
  AGENT_VALUE_INVALID: { problem: Statement; allowed: Statement | undefined };
  AGENT_KEY_WITHOUT_EFFECT: { key: string; reason: NoEffect };
  AGENT_LEGACY_FORMAT: object;
  AGENT_NAME_MISMATCH: { agentId: string; name: string };
  AGENT_DIRECTORY_NAME: { name: string; directory: string };
  WORKFLOW_INVALID: WorkflowFault;
}

/** Why a key that is understood changes nothing here. */
export type NoEffect =
  | "orchestrated"
  | "in_checkout"
  | "sandboxed"
  | "acted"
  | "inspected"
  | "recorded"
  | "unattended"
  | "graph_decides"
  | "kind_decides"
  | "tried_again"
  | "checked_after_closing"
  | "never_closing"
  | "payload_unchecked"
  | "projects_unused"
  | "tracker_decides"
  | "channel_unknown"
  | "own_issue_only"
  | "limit_awaited"
  | "role_decides"
  | "phase_rests";

export type WorkflowFault =
  | (Named & { fault: "unknown"; kind: "phase" | "agent" | "label"; name: string })
  | { fault: "lacks"; who: "actionable" | "transformer" | "validator"; key: string }
  | { fault: "no_labels" }
  | { fault: "never_closes" }
  | { fault: "outcome_unknown"; outcome: string; known: readonly string[] };

/** agent.json beyond its shape: parameters, and what ends the flow. */
export interface RunnerProblems {
  AGENT_COMPLETION_MISSING: object;
  AGENT_COMPLETION_TWICE: object;
  AGENT_COMPLETION_TYPE: Named & { type: string; known: readonly string[] };
  AGENT_COMPLETION_CONFIG: { type: string; key: string };
  AGENT_COMPLETION_UNUSED: { key: string; type: string };
  AGENT_COMPLETION_RESOURCE: { resource: string };
  AGENT_NO_GATE: { type: string };
  AGENT_NO_CLOSING: { type: string };
  AGENT_HANDLER_MISSING: { path: string };
  AGENT_PARAMETER_CLASH: { cli: string; other: string };
  AGENT_PARAMETER_DEFAULT: { problem: Statement };
  AGENT_PARAMETER_VALIDATION: ParameterFault;
  AGENT_PARAMETER_REQUIRED_DEFAULT: object;
  AGENT_FLAG_RESERVED: { cli: string; key: string };
}

/** A rule for a parameter that no value, or any value, would meet. */
export type ParameterFault =
  | { fault: "min_above_max"; min: number; max: number }
  | { fault: "other_type"; rule: string; meant: Parameter["type"]; type: Parameter["type"] }
  | { fault: "not_pattern"; pattern: string }
  | { fault: "enum_of_other_type"; type: Parameter["type"] }
  | { fault: "enum_empty" };

/** A step, its gate and the values that it hands on. */
export interface GateProblems {
  STEP_ID_MISMATCH: { key: string; stepId: string };
  STEP_KIND_UNKNOWN: { c2: string };
  STEP_NEEDS: { stepId: string; key: string; gated: string };
  STEP_FALLBACK_KEY: object;
  GATE_INTENT_UNKNOWN: Named & { intent: string };
  GATE_INTENT_KIND: { intent: string; kind: string; allowed: readonly string[] };
  GATE_INTENT_REPEATED: { intent: string };
  GATE_SCHEMA_REF_EXTERNAL: { reference: string };
  GATE_ENUM_MISSING: { reference: string };
  GATE_ENUM_MISMATCH: { missing: readonly string[]; extra: readonly string[] };
  GATE_FIELD_UNKNOWN: { field: string; what: string };
  GATE_FALLBACK_UNKNOWN: { intent: string };
  GATE_FALLBACK_IGNORED: object;
  GATE_FALLBACK_CLOSING: object;
  HANDOFF_COLLISION: { key: string; fields: readonly string[] };
  HANDOFF_FIELD_UNKNOWN: { field: string };
  HANDOFF_NAME_COLLISION: { name: string; steps: readonly string[] };
}

/** Who takes a step. */
export interface StepAgentProblems {
  STEP_RUNNER: RunnerFault;
  STEP_AGENT_LACKS: { stepId: string; agent: string; capability: StepCapability };
  STEP_AGENT_UNBOUND: { stepId: string; agent: string };
}

/** A step's `runner` is a program or an agent. `of_program`: a key that only a program has. */
type RunnerFault = { fault: "empty" } | { fault: "both" } | { fault: "of_program"; key: string };

/** Transitions and schemas of a step. */
export interface TransitionProblems {
  TRANSITION_MISSING: { intent: string };
  TRANSITION_UNUSED: { intent: string };
  TRANSITION_SHAPE: object;
  TRANSITION_TARGET_UNKNOWN: Named & { target: string };
  SECTION_IN_FLOW: { target: string };
  TRANSITION_NULL: { intent: string };
  TRANSITION_CLOSING_TARGET: { target: string };
  TRANSITION_CONDITION_UNKNOWN: Named & { condition: string };
  /** `names`: the same key of other steps, with those steps. */
  TRANSITION_CONDITION_ELSEWHERE: { condition: string; names: readonly string[] };
  TRANSITION_CONDITION_NEVER: { condition: string; step: string; stepId: string };
  TRANSITION_NO_DEFAULT: object;
  SCHEMA_UNRESOLVED: { file: string; schema: string; problem: Statement };
  SCHEMA_UNUSABLE: { file: string; schema: string; problem: string };
}

/** Between steps: entry, reachability, inputs. */
export interface FlowProblems {
  /** `type` is unknown when agent.json could not be read. */
  ENTRY_MISSING: { type: CompletionType | undefined };
  ENTRY_UNKNOWN: Named & { step: string };
  ENTRY_TYPE_UNKNOWN: Named & { type: string };
  STEP_UNREACHABLE: { stepId: string };
  INPUT_FROM_MALFORMED: { from: string };
  INPUT_STEP_UNKNOWN: Named & { from: string; step: string };
  INPUT_KEY_UNKNOWN: { step: string; key: string; known: readonly string[] };
  INPUT_NEVER_BEFORE: { step: string; stepId: string };
  INPUT_NOT_ALWAYS: { step: string; stepId: string };
  INPUT_SHADOWED: { variable: string };
}

/** Conditions of completion, their validators and failure patterns. */
export interface ConditionProblems {
  CONDITIONS_UNREACHABLE: { key: string; reason: NeverCloses; completion: CompletionType | undefined; kind?: string };
  CONDITIONS_BOTH: object;
  CONDITIONS_TWICE: { first: string; second: string };
  VALIDATOR_UNKNOWN: Named & { validator: string };
  VALIDATOR_UNUSED: { validator: string };
  VALIDATOR_KEY_MISSING: { type: string; key: string };
  VALIDATOR_SUCCESS_WHEN: { value: string; fault: SuccessFault };
  VALIDATOR_PARAM_UNKNOWN: { name: string; validator: string };
  PATTERN_UNKNOWN: Named & { pattern: string };
  PARSER_UNKNOWN: Named & { parser: string; known: readonly string[] };
  PATTERN_PARAM_UNSUPPLIED: { pattern: string; param: string; validator: string };
  RETRY_NOWHERE: { stepId: string };
}

/** Why no closing signal can come from the step that conditions are keyed by. */
export type NeverCloses = "not_closure_name" | "other_kind" | "no_gate" | "closing_not_allowed" | "never_reached";

/** What is wrong with a `successWhen`. */
export type SuccessFault = "more_than_empty" | "exit_code" | "text" | "pattern" | "unknown";

/** Prompts and the variables in them. */
export interface PromptProblems {
  /** Without a step: the system prompt. */
  PROMPT_MISSING: { step?: string; tried: readonly string[] };
  PROMPT_EMPTY: object;
  PROMPT_FRONTMATTER: { problem: Statement };
  PROMPT_FRONTMATTER_DIFFERS: { key: string; front: string; step: string };
  PROMPT_CUSTOM_VARIABLE: { name: string };
  VARIABLE_UNSUPPLIED: Named & { name: string };
  VARIABLE_OPTIONAL: { name: string; cli: string };
  VARIABLE_NOT_ALWAYS: { name: string; step: string };
  VARIABLE_UNDECLARED: { name: string };
  VARIABLE_UNUSED: { name: string };
  RUNNER_VARIABLE_UNKNOWN: { name: string };
  RETRY_TEMPLATE_BROKEN: { problem: Statement };
  RETRY_PARAM_UNKNOWN: { name: string; known: readonly string[] };
}

/** Problems that do not keep a flow from running. Every other one is an error. */
const WARNINGS: ReadonlySet<ProblemCode> = new Set([
  "AGENT_KEY_WITHOUT_EFFECT",
  "AGENT_DIRECTORY_NAME",
  "AGENT_COMPLETION_UNUSED",
  "AGENT_PARAMETER_REQUIRED_DEFAULT",
  "AGENT_FLAG_RESERVED",
  "STEP_AGENT_UNBOUND",
  "GATE_INTENT_REPEATED",
  "GATE_FALLBACK_IGNORED",
  "GATE_FALLBACK_CLOSING",
  "HANDOFF_FIELD_UNKNOWN",
  "TRANSITION_UNUSED",
  "TRANSITION_NO_DEFAULT",
  "ENTRY_TYPE_UNKNOWN",
  "STEP_UNREACHABLE",
  "INPUT_NOT_ALWAYS",
  "INPUT_SHADOWED",
  "VALIDATOR_UNUSED",
  "PATTERN_PARAM_UNSUPPLIED",
  "RETRY_NOWHERE",
  "PROMPT_FRONTMATTER_DIFFERS",
  "PROMPT_CUSTOM_VARIABLE",
  "VARIABLE_OPTIONAL",
  "VARIABLE_NOT_ALWAYS",
  "VARIABLE_UNDECLARED",
  "VARIABLE_UNUSED",
  "RETRY_PARAM_UNKNOWN",
]);

export function severityOf(code: ProblemCode): Severity {
  return WARNINGS.has(code) ? "warning" : "error";
}
