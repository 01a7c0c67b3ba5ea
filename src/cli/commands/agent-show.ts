import { checkDefinition, drawGraph, runnableDefinition, toolsOf } from "../../compose/definitions.ts";
import { configText } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import { teller } from "../../texts/tell.ts";
import { table } from "../render/lines.ts";
import { knownWidth } from "../render/width.ts";
import { wrappedLines } from "../render/wrap.ts";
import type { Surroundings } from "../surroundings.ts";

/** Steps, intents, who hands what to whom, tools, completion. */
export async function agentShowCommand(
  name: string,
  { project, json }: { project: string; json?: boolean },
  surroundings: Surroundings,
): Promise<void> {
  const definition = runnableDefinition(await checkDefinition(project, name));
  const { agent, registry, entryStep, directory } = definition;
  const lines = json
    ? [JSON.stringify({ directory, entryStep, agent, registry }, null, 2)]
    : [
        ...headLines(definition, surroundings),
        ...Object.values(registry.steps).flatMap((step) => stepLines(step, definition, surroundings)),
        ...drawGraph(definition, "text", teller(surroundings.texts.language)).split("\n"),
      ];
  for (const line of json ? lines : wrappedLines(lines, knownWidth())) surroundings.output.result(line);
}

function headLines({ agent, entryStep }: FlowDefinition, { texts, output: { paint } }: Surroundings): string[] {
  const { completion, boundaries } = agent.runner;
  const parameters = table(
    Object.values(agent.parameters).map(({ cli, description, required }) => [
      `  ${cli}${required ? " *" : ""}`,
      description,
    ]),
  );
  return [
    `${paint("bold", agent.displayName)} (${agent.name} ${agent.version})`,
    agent.description,
    ...(parameters.length > 0 ? [`${texts.agents.parameters}:`, ...parameters] : []),
    `${texts.agents.completion}: ${completion.type} ${configText(completion.config)}`,
    `${texts.agents.tools}: ${boundaries.allowedTools.join(", ")} (${boundaries.permissionMode})`,
    `${texts.agents.entry}: ${entryStep}`,
  ];
}

function stepLines(step: Step, definition: FlowDefinition, { texts, output: { paint } }: Surroundings): string[] {
  const { structuredGate: gate, inputs, model, runner, permissionMode } = step;
  const { registry } = definition;
  const conditions =
    registry.completionSteps[step.stepId]?.completionConditions.map(({ validator }) => validator) ?? [];
  const inputLines = Object.entries(inputs).map(([variable, { from }]) => `${variable} ← ${from}`);
  const rows: [string, readonly string[]][] = [
    [texts.agents.intents, gate?.allowedIntents ?? []],
    [texts.agents.handsOn, gate?.handoffFields ?? []],
    [texts.agents.receives, inputLines],
    [texts.agents.conditions, conditions],
    [texts.agents.tools, runner ? [] : toolsOf(definition, step)],
    ["permissionMode", permissionMode ? [permissionMode] : []],
    ["model", model ? [model] : []],
    ["runner", runner ? [[runner.command, ...runner.args].join(" ")] : []],
  ];
  const said = rows
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => `    ${label}: ${values.join(", ")}`);
  return [`  ${paint("bold", step.stepId)} [${step.stepKind}] ${step.name}`, ...said];
}
