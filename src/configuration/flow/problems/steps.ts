import type { Statement } from "../../../model/statement.ts";
import { en, error, warning } from "./text.ts";

/** What can be wrong with a single step: its gate, its transitions, its schema. */
export const stepProblems = {
  STEP_ID_MISMATCH: (d: { key: string; stepId: string }) =>
    error(
      `The entry "${d.key}" says it is "${d.stepId}".`,
      "Other steps lead to the key, records name the stepId: they must be one.",
      `Make stepId "${d.key}".`,
    ),
  STEP_KIND_UNKNOWN: (d: { c2: string }) =>
    error(
      `stepKind is missing and c2 "${d.c2}" does not tell it.`,
      "The kind decides which intents and tools the step may use.",
      "Add stepKind: work, verification or closure.",
    ),
  STEP_NEEDS: (d: { stepId: string; key: string; gated: string }) =>
    error(
      `The step "${d.stepId}" has no ${d.key}.`,
      `The step "${d.gated}" has a gate; from then on the flow is led by gates, and every step needs ${d.key}.`,
      `Add ${d.key}, or name the step section.… if it is only a part of other prompts.`,
    ),
  STEP_FALLBACK_KEY: (_: object) =>
    error(
      "fallbackKey is missing.",
      "The format requires it beside runner.completion.",
      "Add it, such as initial_task.",
    ),
  GATE_INTENT_UNKNOWN: (d: { intent: string; nearest: string | undefined }) =>
    error(
      `There is no intent "${d.intent}".`,
      "Values are exact: next, repeat, jump, handoff, escalate, closing.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Use one of them.",
    ),
  GATE_INTENT_KIND: (d: { intent: string; kind: string; allowed: readonly string[] }) =>
    error(
      `A ${d.kind} step cannot say ${d.intent}.`,
      d.intent === "closing"
        ? "Only a closure step may signal that the agent is done."
        : `A ${d.kind} step says ${d.allowed.join(", ")}.`,
      `Remove ${d.intent} from allowedIntents, or change the step's kind.`,
    ),
  GATE_INTENT_REPEATED: (d: { intent: string }) =>
    warning(`${d.intent} is listed twice.`, "Once is enough.", "Remove one."),
  GATE_SCHEMA_REF_EXTERNAL: (d: { reference: string }) =>
    error(
      `intentSchemaRef "${d.reference}" is not an internal pointer.`,
      "It points into the step's own resolved schema.",
      "Write a pointer that begins with #/, such as #/properties/next_action/properties/action.",
    ),
  GATE_ENUM_MISSING: (d: { reference: string }) =>
    error(
      `intentSchemaRef "${d.reference}" leads to no enum in the step's schema.`,
      "The enum holds the model to the allowed intents.",
      "Point it at the property with the enum, such as #/properties/next_action/properties/action.",
    ),
  GATE_ENUM_MISMATCH: (d: { missing: readonly string[]; extra: readonly string[] }) =>
    error(
      `allowedIntents and the schema's enum differ: ${differences(d)}.`,
      "A value that only one of them knows would stop the run or could never be chosen.",
      "Make them the same, in any order.",
    ),
  GATE_FIELD_UNKNOWN: (d: { field: string; what: string }) =>
    error(
      `${d.what} "${d.field}" is not in the step's schema.`,
      "The model can never return it, so every answer would stop the run.",
      "Correct the path, or add the property to the schema.",
    ),
  GATE_FALLBACK_UNKNOWN: (d: { intent: string }) =>
    error(
      `fallbackIntent "${d.intent}" is not among allowedIntents.`,
      "It could not be followed.",
      "Choose one of the allowed intents.",
    ),
  GATE_FALLBACK_IGNORED: (_: object) =>
    warning(
      "fallbackIntent has no effect while failFast is true (the default).",
      "An answer without an intent stops the run.",
      "Set failFast to false to use the fallback, or remove it.",
    ),
  GATE_FALLBACK_CLOSING: (_: object) =>
    warning(
      "closing is never taken as a fallback.",
      "An answer without an intent is no signal of completion: it stops the run.",
      "Choose another intent, such as repeat, or remove the fallback.",
    ),
  HANDOFF_COLLISION: (d: { key: string; fields: readonly string[] }) =>
    error(
      `${d.fields.join(" and ")} are both handed on as "${d.key}".`,
      "The key is the last part of the path, and one value would be lost.",
      "Rename one of the fields.",
    ),
  HANDOFF_FIELD_UNKNOWN: (d: { field: string }) =>
    warning(
      `The handoff field "${d.field}" is not in the step's schema.`,
      "The model can never return it, so it is never handed on.",
      "Correct the path, or add the property to the schema.",
    ),
  HANDOFF_NAME_COLLISION: (d: { name: string; steps: readonly string[] }) =>
    error(
      `{uv-${d.name}} would be a value of ${d.steps.join(" and of ")}.`,
      "Dots of step ids become underscores in names.",
      "Rename a step or a field.",
    ),
  TRANSITION_MISSING: (d: { intent: string }) =>
    error(
      `There is no transition for the allowed intent ${d.intent}.`,
      "The run would stop when a step says it.",
      `Add transitions.${d.intent}.`,
    ),
  TRANSITION_UNUSED: (d: { intent: string }) =>
    warning(
      `The transition ${d.intent} can never be taken.`,
      "allowedIntents does not have it.",
      "Allow the intent, or remove the transition.",
    ),
  TRANSITION_SHAPE: (_: object) =>
    error(
      "A transition has either target, or condition with targets.",
      "Anything else leads nowhere.",
      'Write {"target": "step.id"} or {"condition": "key", "targets": {"value": "step.id", "default": "step.id"}}.',
    ),
  TRANSITION_TARGET_UNKNOWN: (d: { target: string; nearest: string | undefined }) =>
    error(
      `There is no step "${d.target}".`,
      "The run would stop here.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Add the step, or correct the target.",
    ),
  SECTION_IN_FLOW: (d: { target: string }) =>
    error(
      `"${d.target}" is a section, not a step of the flow.`,
      "Sections are parts of other prompts: no gate leads on from there.",
      'Lead to a step; one whose id begins with "section." needs another id for that.',
    ),
  TRANSITION_NULL: (d: { intent: string }) =>
    error(
      `The transition ${d.intent} has the target null.`,
      "Only closing ends the flow; an agent never ends in passing.",
      "Name the step that follows.",
    ),
  TRANSITION_CLOSING_TARGET: (d: { target: string }) =>
    error(
      `closing leads to "${d.target}".`,
      "What follows closing is decided by the completion, not by a step.",
      'Make it {"target": null}.',
    ),
  TRANSITION_CONDITION_UNKNOWN: (d: { condition: string; nearest: string | undefined }) =>
    error(
      `The condition "${d.condition}" is no handoff key of this or any other step.`,
      "It is looked up among the values handed on, and would never be found.",
      d.nearest ? `Did you mean ${d.nearest}?` : "List the field among this step's handoffFields.",
    ),
  TRANSITION_NO_DEFAULT: (_: object) =>
    warning(
      "The targets have no default.",
      "A value that is not listed stops the run.",
      'Add "default" to the targets.',
    ),
  SCHEMA_UNRESOLVED: (d: { file: string; schema: string; problem: Statement }) =>
    error(
      `The schema ${d.schema} of ${d.file} cannot be resolved: ${en(d.problem)}.`,
      "The step's answer could not be asked for; the run ends after two attempts.",
      "Correct outputSchemaRef or the schema file.",
    ),
  SCHEMA_UNUSABLE: (d: { file: string; schema: string; problem: string }) =>
    error(
      `The schema ${d.schema} of ${d.file} cannot be used: ${d.problem}.`,
      "No answer could ever fit it.",
      "Correct the schema file.",
    ),
} as const;

function differences({ missing, extra }: { missing: readonly string[]; extra: readonly string[] }): string {
  const parts = [
    extra.length > 0 ? `only the schema has ${extra.join(", ")}` : "",
    missing.length > 0 ? `only allowedIntents has ${missing.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}
