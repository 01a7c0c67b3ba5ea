import type { Statement } from "../../../model/statement.ts";
import { en, error, warning } from "./text.ts";

/** What can be wrong with prompts and the variables in them. */
export const promptProblems = {
  PROMPT_MISSING: (d: { what: Statement; tried: readonly string[] }) =>
    error(
      `There is no prompt for ${en(d.what)}.`,
      "The step could not be asked to do anything.",
      `Add ${d.tried.join(", or ")}.`,
    ),
  PROMPT_EMPTY: (_: object) =>
    error("The prompt is empty.", "The step would be asked to do nothing.", "Write what the step has to do."),
  PROMPT_FRONTMATTER: (d: { problem: Statement }) =>
    error(
      `The frontmatter cannot be read: ${en(d.problem)}.`,
      "It would be sent to the model, or swallow the prompt.",
      "Mend it, or remove it: it is optional.",
    ),
  PROMPT_FRONTMATTER_DIFFERS: (d: { key: string; said: string; step: string }) =>
    warning(
      `The frontmatter says ${d.key} ${d.said}, the step ${d.step}.`,
      "One of them is out of date.",
      "Make them agree.",
    ),
  PROMPT_CUSTOM_VARIABLE: (d: { name: string }) =>
    warning(
      `The custom variable {${d.name}} is not filled in.`,
      "Only {uv-name} is; anything else reaches the model as it stands.",
      `Use {uv-${d.name}} with a parameter or an input of that name.`,
    ),
  VARIABLE_UNSUPPLIED: (d: { name: string; nearest: string | undefined }) =>
    error(
      `{uv-${d.name}} is supplied by nothing.`,
      "A placeholder is never sent to the model unfilled.",
      d.nearest ? `Did you mean {uv-${d.nearest}}?` : "Add a parameter or an input of that name, or remove it.",
    ),
  VARIABLE_OPTIONAL: (d: { name: string; cli: string }) =>
    warning(
      `{uv-${d.name}} is empty-handed without ${d.cli}.`,
      "The parameter is optional and has no default: a run without it stops here.",
      "Give the parameter a default, or make it required.",
    ),
  VARIABLE_NOT_ALWAYS: (d: { name: string; step: string }) =>
    warning(
      `{uv-${d.name}} is missing on paths that do not go through "${d.step}".`,
      "On such a path the run stops here.",
      "Declare it under inputs with a default.",
    ),
  VARIABLE_UNDECLARED: (d: { name: string }) =>
    warning(
      `{uv-${d.name}} is not among the step's uvVariables.`,
      "It is filled all the same; readers of the registry do not see it.",
      `Add "${d.name}" to uvVariables.`,
    ),
  VARIABLE_UNUSED: (d: { name: string }) =>
    warning(
      `The step declares the variable "${d.name}", and its prompt does not use it.`,
      "What it says does not reach the model.",
      `Use {uv-${d.name}} in the prompt, or remove it from uvVariables.`,
    ),
  RUNNER_VARIABLE_UNKNOWN: (d: { name: string }) =>
    error(
      `\${context.${d.name}} is no parameter of the agent.`,
      "The program would be started with a hole in its arguments.",
      `Add a parameter "${d.name}", or correct the name.`,
    ),
  RETRY_TEMPLATE_BROKEN: (d: { problem: Statement }) =>
    error(
      `The retry prompt cannot be read: ${en(d.problem)}.`,
      "It is needed when completion fails, which is late to find out.",
      "Close every {{#if}} and {{#each}} in order.",
    ),
  RETRY_PARAM_UNKNOWN: (d: { name: string; known: readonly string[] }) =>
    warning(
      `{{${d.name}}} is given by no validator.`,
      "It stays empty in the retry prompt.",
      `Known: ${d.known.join(", ") || "none"}. Add it to the pattern's params and the validator's extractParams.`,
    ),
} as const;
