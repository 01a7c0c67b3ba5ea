import { relative } from "node:path";
import process from "node:process";
import {
  checkDefinition,
  drawGraph,
  listFlows,
  runnableDefinition,
  scaffoldFlow,
  toolsOf,
} from "../../compose/definitions.ts";
import { spelledAgent } from "../../model/agent-choice.ts";
import { asE8Error, type E8Error } from "../../model/errors.ts";
import { configText } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import { errorText } from "../../texts/sentences.ts";
import { teller } from "../../texts/tell.ts";
import type { CliContext } from "../output.ts";
import { table, tableOrBlocks } from "../render/columns.ts";

export async function agentListCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const names = await listFlows(project);
  const agents = await Promise.all(names.map((name) => overview(project, name)));
  if (json) return output.json(agents.map(agentAsJson));
  if (agents.length === 0) return output.progress(texts.agents.none);
  const rows = agents.map(({ name, steps, completion, problems, description, error }) => [
    name,
    problems > 0 ? texts.agents.broken(problems) : String(steps),
    completion,
    error ? errorText(error, texts.language).message : description,
  ]);
  for (const line of tableOrBlocks(texts.agents.columns, rows, output.paint)) output.result(line);
}

interface AgentOverview {
  name: string;
  steps: number;
  completion: string;
  problems: number;
  description: string;
  /** Why it could not even be read. */
  error?: E8Error;
}

function agentAsJson({ error, description, ...rest }: AgentOverview): object {
  return { ...rest, description: error ? errorText(error, "en").message : description };
}

async function overview(project: string, name: string): Promise<AgentOverview> {
  try {
    const { definition, problems } = await checkDefinition(project, name);
    return {
      name,
      steps: Object.keys(definition?.registry.steps ?? {}).length,
      completion: definition?.agent.runner.completion.type ?? "",
      problems: problems.filter(({ severity }) => severity === "error").length,
      description: definition?.agent.description ?? "",
    };
  } catch (error) {
    return { name, steps: 0, completion: "", problems: 1, description: "", error: asE8Error(error) };
  }
}

/** Steps, intents, who hands what to whom, tools, completion. */
export async function agentShowCommand(
  name: string,
  { project, json }: { project: string; json?: boolean },
  context: CliContext,
): Promise<void> {
  const definition = runnableDefinition(await checkDefinition(project, name));
  const { agent, registry, entryStep, directory } = definition;
  if (json) return context.output.json({ directory, entryStep, agent, registry });
  context.output.page([
    ...headLines(definition, context),
    ...Object.values(registry.steps).flatMap((step) => stepLines(step, definition, context)),
    ...drawGraph(definition, "text", teller(context.texts.language)).split("\n"),
  ]);
}

function headLines({ agent, entryStep }: FlowDefinition, { texts, output: { paint } }: CliContext): string[] {
  const { completion, boundaries, agent: runsOn } = agent.runner;
  const parameters = table(
    Object.values(agent.parameters).map(({ cli, description, required }) => [
      `  ${cli}${required ? " *" : ""}`,
      description,
    ]),
  );
  return [
    `${paint("bold", agent.displayName)} (${agent.name} ${agent.version})`,
    agent.description,
    ...(parameters.length > 0 ? [texts.labeled(texts.agents.parameters), ...parameters] : []),
    texts.labeled(texts.agents.completion, `${completion.type} ${configText(completion.config)}`),
    texts.labeled(texts.agents.tools, `${boundaries.allowedTools.join(", ")} (${boundaries.permissionMode})`),
    ...(runsOn === undefined ? [] : [texts.labeled("agent", spelledAgent(runsOn))]),
    texts.labeled(texts.agents.entry, entryStep),
  ];
}

function stepLines(step: Step, definition: FlowDefinition, { texts, output: { paint } }: CliContext): string[] {
  const { structuredGate: gate, inputs, model, runner, permissionMode, agent } = step;
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
    ["agent", agent === undefined ? [] : [spelledAgent(agent)]],
    ["runner", runner ? [[runner.command, ...runner.args].join(" ")] : []],
  ];
  const said = rows
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => `    ${texts.labeled(label, values.join(texts.separator))}`);
  return [`  ${paint("bold", step.stepId)} [${step.stepKind}] ${step.name}`, ...said];
}

export async function agentInitCommand(
  name: string,
  { project, from }: { project: string; from: string },
  { texts, output }: CliContext,
): Promise<void> {
  const directory = await scaffoldFlow(project, name, { template: from, language: texts.language });
  output.result(texts.agents.made(relative(process.cwd(), directory)));
  output.result(texts.labeled(texts.nextStep, `e8 agent validate ${name} && e8 agent run ${name} --help`));
}
