import type { Statement } from "../message.ts";

/** Messages about flows: their gates, routes, conditions, modules and effects. */
export interface FlowMessages
  extends StepMessages,
    RouteMessages,
    CompletionMessages,
    ConditionMessages,
    TemplateMessages,
    EffectMessages {
  /** Another program's words where only a message fits. */
  quoted_words: { words: Statement };
}

/** A step's work and what it returned. */
export interface StepMessages {
  step_missing: object;
  /** `said`: as JSON. */
  step_id_corrected: { said: string; step: string };
  handoff_missing: { step: string; variable: string; from: string; key: string };
  program_failed: { program: string; how: Statement; output: string };
  output_not_json: { output: string };
  output_schema_unusable: { problem: string };
  /** One error of the schema validator, which gives `keyword`, `params` and its own English `text`. */
  output_misfit: { path: string; keyword: string; params: Readonly<Record<string, unknown>>; text: string };
  parameter_not_number: { value: string };
  parameter_number_missing: object;
}

/** Where the flow goes. */
export interface RouteMessages {
  flow_moved: { step: string; intent: string | null; next: string | null };
  /** An error came in between. */
  flow_undecided: { step: string; problem: Statement };
  /** `value`: as JSON; null where there is none. */
  intent_unusable: { field: string; value: string | null; allowed: readonly string[] };
  intent_fallback_refused: { problem: Statement; intent: string };
  intent_fallback_taken: { problem: Statement; intent: string };
  intent_of_other_kind: { step: string; kind: string; intent: string };
  transition_missing: { step: string; intent: string };
  transition_target_missing: { step: string; intent: string; target: string };
  transition_must_end: { step: string; intent: string; target: string };
  transition_may_not_end: { step: string; intent: string };
  jump_target_missing: { step: string; target: string };
  /** `value`: as JSON; null where nothing was handed on. */
  transition_undecided: { step: string; condition: string; value: string | null };
}

/** Whether a flow's completion holds. */
interface CompletionMessages {
  closing_given: object;
  closing_not_given: object;
  iterations_done: { count: number; limit: number | null };
  completion_checks_done: { count: number; limit: number | null };
  keyword_said: { keyword: string };
  keyword_not_said: { keyword: string };
  signal_given: { signal: string };
  signal_not_given: { signal: string };
  handler_says_complete: object;
  handler_says_incomplete: object;
  flow_criteria_met: object;
  flow_criteria_unmet: object;
  completion_empty: object;
  state_unread: { resource: "issue" | "pr" | "file" | "command" };
  /** `name`: which of them; records of the version before do not say it. */
  state_reached: { resource: "issue" | "pr" | "file" | "command"; name?: string; state: string };
  state_not_reached: { resource: "issue" | "pr" | "file" | "command"; name?: string; state: string; target: string };
  closing_left_to_hook: object;
  hook_reaches_other_state: { state: string; target: string };
}

/** Whether a completion condition holds. */
export interface ConditionMessages {
  condition_failed: { validator: string; problem: Statement };
  validator_missing: object;
  command_not_runnable: { exit_code: number };
  exit_code_compared: { exit_code: number | null; expected: number };
  output_empty: object;
  output_not_empty: object;
  output_empty_but_failed: { exit_code: number | null };
  output_contains: { text: string };
  output_lacks: { text: string };
  output_matches: { pattern: string };
  output_does_not_match: { pattern: string };
  pattern_invalid: { pattern: string };
  value_read_as_code: { name: string };
  value_holds_nul: { name: string };
  value_not_handed_on: { name: string };
  path_exists: { path: string };
  module_not_function: object;
  module_without_handler: object;
  module_silent: { seconds: number };
  module_failed: { problem: Statement };
  module_passes: object;
  module_refuses: object;
}

/** What is wrong with a retry prompt's template. `tag` without its braces. */
export interface TemplateMessages {
  template_name_invalid: { tag: string };
  template_block_unknown: { tag: string };
  template_block_unnamed: { tag: string };
  template_close_unopened: { tag: string };
  template_close_mismatched: { tag: string; expected: string };
  template_else_outside: object;
  template_else_twice: object;
  /** `tag` with its braces: only the opening ones may be there. */
  template_unclosed: { tag: string };
}

/** What the boundary hook does. */
interface EffectMessages {
  issue_label_effect: { issue: number; add: readonly string[]; remove: readonly string[] };
  issue_close_effect: { issue: number };
  release_effect: { tag: string };
  tag_missing: object;
  /** After it was closed. */
  issue_still_open: { state: string };
}
