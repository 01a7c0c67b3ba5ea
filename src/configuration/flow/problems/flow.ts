import type { Statement } from "../../../model/statement.ts";
import { en, error, warning } from "./text.ts";

/** What can be wrong between steps: entry, reachability, inputs, and the conditions of completion. */
export const flowProblems = {
  ENTRY_MISSING: (d: { type: Statement }) =>
    error(
      "Nothing says where the flow begins.",
      `There is neither entryStep nor a step for ${en(d.type)} in entryStepMapping.`,
      'Add "entryStep" with the id of the first step.',
    ),
  ENTRY_UNKNOWN: (d: { step: string; nearest: string | undefined }) =>
    error(
      `There is no step "${d.step}".`,
      "The flow could not begin.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Name an existing step.",
    ),
  ENTRY_TYPE_UNKNOWN: (d: { type: string; nearest: string | undefined }) =>
    warning(
      `"${d.type}" is no completion type, so this entry is never looked up.`,
      "entryStepMapping is read by the agent's completion type.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Use a completion type, or remove the entry.",
    ),
  STEP_UNREACHABLE: (d: { stepId: string }) =>
    warning(`No path leads to the step "${d.stepId}".`, "It can never run.", "Lead a transition to it, or remove it."),
  INPUT_FROM_MALFORMED: (d: { from: string }) =>
    error(`"${d.from}" names no step and key.`, "The value cannot be found.", 'Write "stepId.key".'),
  INPUT_STEP_UNKNOWN: (d: { from: string; step: string; nearest: string | undefined }) =>
    error(
      `"${d.from}" asks the step "${d.step}", which does not exist.`,
      "The value can never come.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Correct the step id; the key is what follows the last dot.",
    ),
  INPUT_KEY_UNKNOWN: (d: { step: string; key: string; known: readonly string[] }) =>
    error(
      `The step "${d.step}" hands on no "${d.key}".`,
      "Only declared handoffFields travel.",
      d.known.length > 0
        ? `It hands on ${d.known.join(", ")}. Use one of them, or add the field to its handoffFields.`
        : "Add the field to its handoffFields.",
    ),
  INPUT_NEVER_BEFORE: (d: { step: string; stepId: string }) =>
    error(
      `The step "${d.step}" can never have run before "${d.stepId}".`,
      "The value is required and can never be there.",
      "Lead the flow through it first, give a default, or say required: false.",
    ),
  INPUT_NOT_ALWAYS: (d: { step: string; stepId: string }) =>
    warning(
      `Some paths reach "${d.stepId}" without "${d.step}".`,
      "The value is required; on such a path the run stops.",
      "Give a default, say required: false, or lead every path through it.",
    ),
  INPUT_SHADOWED: (d: { variable: string }) =>
    warning(
      `The input "${d.variable}" is hidden by something of that name that is supplied earlier.`,
      "Parameters and the program's own variables win.",
      "Give the input another name.",
    ),
  CONDITIONS_UNREACHABLE: (d: { key: string; reason: Statement }) =>
    error(
      `The conditions of "${d.key}" could never run: ${en(d.reason)}.`,
      "Checks that never run look like checks that passed.",
      "Key them by a closure step that the flow reaches, or by closure.<the agent's completion type>.",
    ),
  CONDITIONS_BOTH: (_: object) =>
    error(
      "There are completionConditions and validationConditions.",
      "They are two generations' names of the same thing.",
      "Keep one of them.",
    ),
  CONDITIONS_TWICE: (d: { first: string; second: string }) =>
    error(
      `There are ${d.first} and ${d.second}.`,
      "They are two generations' names of the same thing.",
      `Move everything into ${d.first}.`,
    ),
  VALIDATOR_UNKNOWN: (d: { validator: string; nearest: string | undefined }) =>
    error(
      `There is no validator "${d.validator}".`,
      "The check could not run.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Add it to validators.",
    ),
  VALIDATOR_UNUSED: (d: { validator: string }) =>
    warning(`No condition uses the validator "${d.validator}".`, "It never runs.", "Use it, or remove it."),
  VALIDATOR_KEY_MISSING: (d: { type: string; key: string }) =>
    error(`A ${d.type} validator needs ${d.key}.`, "There is nothing to check.", `Add ${d.key}.`),
  VALIDATOR_SUCCESS_WHEN: (d: { value: string; problem: Statement }) =>
    error(
      `successWhen "${d.value}" ${en(d.problem)}.`,
      "Nobody could tell whether the check passed.",
      "Write empty, exitCode:N, contains:text or matches:pattern.",
    ),
  VALIDATOR_PARAM_UNKNOWN: (d: { name: string; validator: string }) =>
    error(
      `The command asks for \${${d.name}}, which the condition does not give.`,
      "The command would run with a hole in it.",
      `Add params.${d.name} to the condition that uses ${d.validator}.`,
    ),
  PATTERN_UNKNOWN: (d: { pattern: string; nearest: string | undefined }) =>
    error(
      `There is no failure pattern "${d.pattern}".`,
      "The retry prompt is chosen by it.",
      d.nearest ? `Did you mean ${d.nearest}?` : "Add the pattern, or correct the name.",
    ),
  PARSER_UNKNOWN: (d: { parser: string; nearest: string | undefined; known: readonly string[] }) =>
    error(
      `There is no parser "${d.parser}".`,
      "The parameter of the retry prompt could not be made.",
      d.nearest ? `Did you mean ${d.nearest}?` : `Known: ${d.known.join(", ")}.`,
    ),
  PATTERN_PARAM_UNSUPPLIED: (d: { pattern: string; param: string; validator: string }) =>
    warning(
      `The pattern "${d.pattern}" wants "${d.param}", which the validator "${d.validator}" does not extract.`,
      "It is missing from the retry prompt.",
      "Add it to the validator's extractParams.",
    ),
  RETRY_NOWHERE: (d: { stepId: string }) =>
    warning(
      `The closure step "${d.stepId}" has no transition repeat.`,
      "When a condition fails there is no work step to send the retry prompt to; the closure step itself gets it.",
      'Add transitions.repeat with the work step to go back to, or onFailure {"action": "abort"}.',
    ),
} as const;
