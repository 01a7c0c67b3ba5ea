import { type Criterion, criterionText, isCheck, numbered } from "../../model/criterion.ts";
import { textOf } from "../../model/json.ts";
import { fillTemplate, placeholdersIn, type Template } from "../../model/template.ts";
import { keepHead } from "../prompt/bounds.ts";
import { indent, semanticList } from "../prompt/texts.ts";
import type { Demand } from "../proof/demand.ts";
import type { RunContext } from "../run-context.ts";
import type { ClaimedCondition, ClaimedParts } from "./flow-claim.ts";
import type { FlowRun } from "./flow-run.ts";

/**
 * What the user of a flow asks for: its definition, the parameters, standard input, and the issues as they were when the task began. A
 * condition's sentence is shown as the judge sees it, with what steps have handed on; such words are not the user's.
 */
export function flowDemand(
  context: RunContext,
  run: FlowRun,
  { parts, filled }: { parts: ClaimedParts; filled: (condition: ClaimedCondition) => string },
): Demand {
  const mission = missionOf(context, run);
  const own = [...parts.criteria.flatMap((goal) => goal.criteria)];
  const criteria = [...parts.conditions.map((one) => criterionOf(run, one, filled)), ...own];
  return {
    task: mission.map(({ head, text }) => `${head}\n${indent(keepHead(text, MISSION_TOKENS))}`).join("\n\n"),
    sentences: semanticList(criteria),
    asks_untouched: false, // the output of its steps is the work
    criteria: numbered(criteria).flatMap(({ id, criterion }) =>
      isCheck(criterion) ? [] : [{ id, criterion: criterion.text }],
    ),
    own_words: [
      ...mission.map(({ text }) => text),
      ...parts.conditions.map((one) => ownTextOf(run, one)),
      ...own.map(criterionText),
    ],
  };
}

/** Tokens for each text. */
const MISSION_TOKENS = 8_000;

interface MissionText {
  head: string;
  text: string;
}

function missionOf({ configuration, ports }: RunContext, run: FlowRun): MissionText[] {
  const { definition, parameters, stdin } = run;
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const { issues = [] } = ports.store.task;
  return [
    { head: "The agent that has worked:", text: configuration.task },
    {
      head: "What the user has given to it:",
      text: given.map(([name, value]) => `${name}: ${textOf(value)}`).join("\n"),
    },
    { head: "Standard input:", text: stdin },
    ...issues.map(({ kind, number, title, body }) => ({
      head: `${NAMES[kind]} ${number}:`,
      text: `${title}\n\n${body}`,
    })),
    { head: "The agent's instructions:", text: ownText(run, definition.systemPrompt) },
    ...Object.entries(definition.prompts).map(([id, prompt]) => ({
      head: `The instructions of its step ${id}:`,
      text: ownText(run, prompt),
    })),
  ].filter(({ text }) => text.trim() !== "");
}

const NAMES = { issue: "Issue", pr: "Pull request" } as const;

/** The author's text with the user's values. A value that a step hands on is only named. */
function ownText({ parameters, stdin }: FlowRun, template: Template): string {
  const given: Record<string, unknown> = { stdin, input_text: stdin, ...parameters };
  const values = placeholdersIn(template.text).map((name) => [
    name,
    given[name] === undefined ? `[${name}]` : textOf(given[name]),
  ]);
  return fillTemplate(template, Object.fromEntries(values));
}

function criterionOf(run: FlowRun, one: ClaimedCondition, filled: (condition: ClaimedCondition) => string): Criterion {
  const { validator: name } = one.condition;
  const validator = run.definition.registry.validators[name];
  if (validator?.type === "semantic") return { type: "semantic", text: filled(one) };
  return { type: "command", command: validator?.command ?? name, description: name };
}

function ownTextOf(run: FlowRun, { condition }: ClaimedCondition): string {
  const { prompt, command, path } = run.definition.registry.validators[condition.validator] ?? {};
  return ownText(run, { file: condition.validator, text: prompt ?? command ?? path ?? "" });
}
