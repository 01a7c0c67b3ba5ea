import type { Statement } from "../message.ts";

/** What a value in a file may be, as a JSON Schema calls it. */
export type ValueKind = "integer" | "number" | "boolean" | "string" | "array" | "object";

/** Forms that a schema of ours describes in words, because several kinds of value are possible. Schemas name them as `form`. */
export type ValueForm =
  | "mcp_server"
  | "mcp_servers"
  | "agent_choice"
  | "agent_flag"
  | "worker"
  | "stronger_worker"
  | "criterion"
  | "model_needed"
  | "deadline"
  | "tokens"
  | "credential_name"
  | "host_pattern"
  | "keep_pattern";

/** What is wrong with files, flags and definitions, and which values are possible instead. */
export interface ConfigurationMessages extends ValueMessages, SettingMessages, YamlMessages, FlowFileMessages {}

/** Those about the files of a flow, its parameters and its drawing. */
export interface FlowFileMessages extends JsonMessages, ParameterMessages, GraphMessages {}

interface ValueMessages {
  agents_twice: object;
  value_missing: object;
  value_empty: object;
  /** The same as a sentence of its own. */
  it_is_empty: object;
  value_null: object;
  /** The example of a new task file is still there. */
  value_unfilled: object;
  value_too_large: { value: Statement };
  value_too_small: { value: Statement };
  value_impossible: { value: Statement };
  value_not_kind: { value: Statement; kind: ValueKind };
  value_not_format: { value: Statement; format: string };
  value_not_matching: { value: Statement; pattern: string };
  value_needs_quotes: { problem: Statement; value: string };
  /** A problem, and what is possible instead. */
  value_explained: { problem: Statement; allowed: Statement };
  nothing: object;
  value_kind: { kind: ValueKind };
  value_form: { form: ValueForm };
  value_choices: { choices: readonly string[] };
  value_only: { value: string };
  value_more_than: { minimum: number };
  value_at_least: { minimum: number };
  value_between: { minimum: number; maximum: number };
  value_or_null: { allowed: Statement };
}

interface SettingMessages {
  /** One line of a report on a file. */
  setting_problem: { file: string; line: number; path: string; problem: Statement };
  setting_twice: { source: string };
  name_empty: object;
  file_names: { names: readonly string[] };
  /** `home` is the group that has the key, empty for the top level. */
  key_elsewhere: { home: string; nearest?: string | undefined };
  key_of_task_file: object;
  key_of_project_file: object;
  key_unknown: { nearest?: string | undefined; known: readonly string[] };
  /** `place` among the values of a flag that was given `count` times. */
  flag_empty: { place: number; count: number };
  flag_form: { problem: Statement; form: Statement };
  only_needs_criteria: object;
  time_in_minutes: object;
  time_in_seconds: object;
  model_unnamed: { value: string };
  model_server_missing: { value: string; model: string };
  address_invalid: { address: string };
  /** `instead` is given where the same model is one of Claude Code's. */
  executor_over_api: { instead?: string | undefined };
  provider_misspelled: { provider: string; meant: string };
  provider_unknown: { provider: string };
}

interface YamlMessages {
  /** A fault with the YAML library's own code and message. */
  yaml_fault: { fault: string; message: string };
  yaml_quote_open: object;
  yaml_anchor_missing: { name: string };
  yaml_not_mapping: { is: "list" | "value" };
  yaml_place: { line: number; column: number; text: string };
  nested_too_deep: { levels: number };
}

interface JsonMessages {
  /** The engine's message, and the mistake that people often make there. */
  json_fault: { message: string; slip?: "comment" | "quotes" | "comma" | undefined };
  file_not_group: object;
  frontmatter_not_group: object;
  fields_malformed: object;
  completion_malformed: { value: string };
  resource_unwatchable: { resource: string };
  schema_file_broken: { path: string };
  schema_pointer_malformed: { pointer: string };
  schema_reference_malformed: { reference: string };
  schema_name_unknown: { path: string; name: string };
  schema_cycle: { references: readonly string[] };
  schema_pointer_nowhere: { pointer: string; file: string };
  schema_on_network: { reference: string };
  schema_reference_missing: { name: string; file: string };
}

interface ParameterMessages {
  parameter_needed: { description: string };
  parameter_unknown: { nearest?: string | undefined; known: readonly string[] };
  number_below: { value: number; minimum: number };
  number_above: { value: number; maximum: number };
  value_unlisted: { value: string; known: readonly string[] };
}

/** The words of a drawn flow. */
interface GraphMessages {
  graph_takes: { variable: string; from: string; required: boolean };
  graph_taken_by: { agent: string };
  graph_hands_on: { keys: readonly string[] };
  graph_otherwise: { condition: string };
  graph_needs: { step: string; validators: readonly string[]; action: string };
  graph_completion: object;
}
