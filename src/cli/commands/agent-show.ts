import { checkDefinition, drawGraph, runnableDefinition, toolsOf } from "../../compose/definitions.ts";
import { configText } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import { teller } from "../../texts/tell.ts";
import type { CliContext } from "../context.ts";
import { knownWidth, table } from "../render/columns.ts";
import { wrappedLines } from "../render/wrap.ts";

/** Steps, intents, who hands what to whom, tools, completion. */
export async function agentShowCommand(
  name: string,
  { project, json }: { project: string; json?: boolean },
  context: CliContext,
): Promise<void> {
  const definition = runnableDefinition(await checkDefinition(project, name));
  const { agent, registry, entryStep, directory } = definition;
  const lines = json
    ? [JSON.stringify({ directory, entryStep, agent, registry }, null, 2)]
    : [
        ...headLines(definition, context),
        ...Object.values(registry.steps).flatMap((step) => stepLines(step, definition, context)),
        ...drawGraph(definition, "text", teller(context.texts.language)).split("\n"),
      ];
  for (const line of json ? lines : wrappedLines(lines, knownWidth())) context.output.result(line);
}

function headLines({ agent, entryStep }: FlowDefinition, { texts, output: { paint } }: CliContext): string[] {
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

function stepLines(step: Step, definition: FlowDefinition, { texts, output: { paint } }: CliContext): string[] {
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
