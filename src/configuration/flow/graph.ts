import { spelledAgent } from "../../model/agent-choice.ts";
import type { AgentChoice } from "../../model/configuration.ts";
import type { Completion } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { Intent, Step, Transition } from "../../model/flow/steps-registry.ts";
import { handoffKey } from "../../model/flow/variables.ts";
import { listed, message, type Statement } from "../../model/message.ts";

type Tell = (statement: Statement) => string;

/** A flow as a picture: mermaid for documents, plain text for terminals. */
export function drawGraph(definition: FlowDefinition, form: "mermaid" | "text", tell: Tell): string {
  return form === "mermaid" ? mermaid(definition, tell) : plainText(definition, tell);
}

interface Edge {
  intent: Intent;
  /** For conditional transitions: `testResult = pass`. */
  condition?: string;
  /** Null leads to the completion. */
  target: string | null;
}

function mermaid(definition: FlowDefinition, tell: Tell): string {
  const steps = Object.values(definition.registry.steps);
  const ids = new Map(steps.map(({ stepId }, index) => [stepId, `s${index + 1}`]));
  const id = (stepId: string | null) => (stepId === null ? "done" : (ids.get(stepId) ?? "done"));
  const { completion, agent } = definition.agent.runner;
  return [
    "flowchart TD",
    `  begin(["${definition.agent.name}"]) --> ${id(definition.entryStep)}`,
    ...steps.map((step) => `  ${id(step.stepId)}${box(step, agent)}`),
    ...steps.flatMap((step) =>
      edgesOf(step, tell).map((edge) => `  ${id(step.stepId)} -->|"${escaped(label(edge))}"| ${id(edge.target)}`),
    ),
    ...inputsOf(steps).map(({ from, key, to }) => `  ${id(from)} -.->|"${escaped(key)}"| ${id(to)}`),
    `  done{{"${escaped(completionLines(definition, completion, tell).join("<br>"))}"}}`,
  ].join("\n");
}

const SHAPES = { work: ['["', '"]'], verification: ['[/"', '"/]'], closure: ['(["', '"])'] } as const;

function box(step: Step, flowAgent: AgentChoice | undefined): string {
  const [open, close] = SHAPES[step.stepKind];
  const lines = [step.stepId, step.name, ...takenBy(step, flowAgent)];
  return `${open}${lines.map(escaped).join("<br>")}${close}`;
}

function plainText(definition: FlowDefinition, tell: Tell): string {
  const { registry, entryStep, agent } = definition;
  const steps = Object.values(registry.steps);
  return [
    ...steps.flatMap((step) => [
      `${step.stepId === entryStep ? "→ " : "  "}${step.stepId} (${step.stepKind}) ${step.name}`,
      ...takenBy(step, agent.runner.agent).map((by) => `      ${tell(message("graph_taken_by", { agent: by }))}`),
      ...Object.entries(step.inputs).map(
        ([variable, { from, required }]) => `      ${tell(message("graph_takes", { variable, from, required }))}`,
      ),
      ...handedOn(step).map((keys) => `      ${tell(message("graph_hands_on", { keys }))}`),
      ...edgesOf(step, tell).map(
        (edge) => `      ${label(edge)} → ${edge.target ?? tell(message("graph_completion", {}))}`,
      ),
    ]),
    ...completionLines(definition, agent.runner.completion, tell).map((line, index) =>
      index === 0 ? `  ${tell(listed([message("graph_completion", {}), line], ": "))}` : `      ${line}`,
    ),
  ].join("\n");
}

/** The agent that the definition names for the step. Of another one it is not known yet. */
function takenBy({ runner, agent }: Step, flowAgent: AgentChoice | undefined): string[] {
  const by = runner ? undefined : (agent ?? flowAgent);
  return by === undefined ? [] : [spelledAgent(by)];
}

function handedOn({ structuredGate }: Step): string[][] {
  const keys = structuredGate?.handoffFields.map(handoffKey) ?? [];
  return keys.length > 0 ? [keys] : [];
}

function edgesOf({ transitions }: Step, tell: Tell): Edge[] {
  return (Object.entries(transitions) as [Intent, Transition][]).flatMap(([intent, transition]): Edge[] => {
    if (!("targets" in transition)) return [{ intent, target: transition.target }];
    const { condition, targets } = transition;
    return Object.entries(targets).map(([value, target]) => ({
      intent,
      condition: value === "default" ? tell(message("graph_otherwise", { condition })) : `${condition} = ${value}`,
      target,
    }));
  });
}

function label({ intent, condition }: Edge): string {
  return condition ? `${intent} [${condition}]` : intent;
}

function inputsOf(steps: readonly Step[]): { from: string; key: string; to: string }[] {
  return steps.flatMap(({ stepId, inputs }) =>
    Object.values(inputs).map(({ from }) => {
      const dot = from.lastIndexOf(".");
      return { from: from.slice(0, dot), key: from.slice(dot + 1), to: stepId };
    }),
  );
}

/** The completion, and the conditions of each closure step before it. */
function completionLines({ registry }: FlowDefinition, completion: Completion, tell: Tell): string[] {
  const conditions = Object.entries(registry.completionSteps).map(([stepId, { completionConditions, onFailure }]) =>
    tell(
      message("graph_needs", {
        step: stepId,
        validators: completionConditions.map(({ validator }) => validator),
        action: onFailure.action,
      }),
    ),
  );
  return [completionName(completion), ...conditions];
}

function completionName({ type, config }: Completion): string {
  const inner = config.conditions?.map(completionName).join(` ${config.operator} `);
  return inner === undefined ? type : `${type} (${inner})`;
}

/** Quotes and line breaks would end a mermaid label. */
function escaped(text: string): string {
  return text.replaceAll('"', "#quot;").replaceAll("\n", " ");
}
