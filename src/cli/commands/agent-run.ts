import { resolve } from "node:path";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { Command, Option } from "commander";
import { chooseStore } from "../../compose/choose-store.ts";
import { checkDefinition, RESERVED_FLAGS, runnableDefinition } from "../../compose/definitions.ts";
import { foretold } from "../../compose/dry-run.ts";
import { configureFlow, type FlowRequest, startFlow } from "../../compose/flows.ts";
import { findProject } from "../../compose/project.ts";
import { namedAgents, takenSteps } from "../../compose/step-agents.ts";
import { requireAgents } from "../../compose/tasks.ts";
import { E8Error } from "../../model/errors.ts";
import type { Parameter } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import { runToEnd } from "../follow.ts";
import { isSaid } from "../log-level.ts";
import type { CliContext } from "../output.ts";
import { tableOrBlocks } from "../render/columns.ts";
import { definitionReport } from "../render/problem-report.ts";
import { addRunFlags, type CommonRunFlags, collect, tellProject } from "../run-flags.ts";
import { dryRunLines } from "./run.ts";

interface AgentRunFlags extends CommonRunFlags {
  script?: string;
  dryRun?: boolean;
  param: string[];
}

/** Reads the agent's name, then the rest of the line by that agent's own parameters. */
export async function agentRunCommand(words: readonly string[], context: CliContext): Promise<void> {
  const [name, ...rest] = words;
  if (name === "--help" || name === "-h") return context.output.result(context.texts.agentRunUsage);
  if (name === undefined || name.startsWith("-"))
    throw new E8Error("parameter_invalid", { flag: "e8 agent run", problem: context.texts.agentNameMissing });
  const project = await projectIn(rest, context);
  await chooseStore({ project, environment: process.env });
  const checked = await checkDefinition(project, name);
  const definition = runnableDefinition(checked);
  await parserFor(definition, context, async (flags) => {
    const parameters = givenParameters(definition, flags);
    const stdin = usesStdin(definition) && !process.stdin.isTTY ? await readAll(process.stdin) : "";
    const { script, samePlace, acceptChanges } = flags;
    const request = { project, flow: name, parameters, flags: settingsIn(flags), stdin, script };
    if (flags.dryRun) return showDryRun(request, flags, context);
    if (!flags.quiet) tellWarnings({ name, problems: checked.problems }, context);
    if (script !== undefined && isSaid("warning")) context.output.progress(context.texts.scripted);
    await runToEnd(
      (options) => startFlow(request, { ...options, samePlace, acceptChanges }),
      { ...flags, project },
      context,
    );
  }).parseAsync(rest, { from: "user" });
}

/** The settings, and who takes each step. Throws what would keep it from running. */
async function showDryRun(request: FlowRequest, { json }: AgentRunFlags, { texts, output }: CliContext): Promise<void> {
  const configured = await configureFlow(request, process.env);
  const { definition, configuration, parameters, ...rest } = configured;
  const steps = takenSteps(definition, configuration);
  const told = foretold(configured, process.env, namedAgents(definition));
  if (json) output.json({ ...rest, configuration, parameters, ...told, steps });
  else {
    dryRunLines({ ...configured, ...told }, texts, output.paint).forEach(output.result);
    const rows = steps.map(({ step, kind, agent, program, is_own, withholds_tools }) => [
      ...[step, kind, agent ?? program ?? "", is_own ? texts.agents.ofStep : ""],
      agent !== null && !withholds_tools ? texts.agents.onlySandbox : "",
    ]);
    for (const line of tableOrBlocks(texts.agents.stepColumns, rows, output.paint)) output.result(line);
  }
  await requireAgents({ configuration, project: rest.project, environment: process.env }, definition);
}

/** A definition that runs has no errors; what else is wrong with it is told before anything is spent. */
function tellWarnings(checked: Parameters<typeof definitionReport>[0], { texts, output }: CliContext): void {
  if (checked.problems.length > 0) definitionReport(checked, texts, output.paint).forEach(output.progress);
}

export function parserFor(
  { agent }: FlowDefinition,
  context: CliContext,
  run: (flags: AgentRunFlags) => Promise<void>,
): Command {
  const { help } = context.texts;
  const command = new Command(`e8 agent run ${agent.name}`).description(`${agent.displayName}: ${agent.description}`);
  for (const [name, parameter] of ownFlags(agent))
    command.addOption(new ParameterOption(name, parameter, context.texts));
  return addRunFlags(command, context)
    .option("-p, --project <directory>", help.project)
    .option("--lang <language>", help.lang)
    .option("--dry-run", help.dryRun)
    .option("--script <story>", help.script)
    .option("--param <name=value>", help.param, collect, [])
    .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : EXIT_ERROR))
    .action(run);
}

function ownFlags({ parameters }: FlowDefinition["agent"]): [string, Parameter][] {
  return Object.entries(parameters).filter(([, { cli }]) => !RESERVED_FLAGS.includes(cli));
}

/** A parameter's flag is taken literally: `--no-push` does not negate `--push`. */
class ParameterOption extends Option {
  readonly #key: string;

  constructor(name: string, { cli, type, description, required, default: fallback }: Parameter, { usage }: Texts) {
    const value = type === "boolean" ? "" : ` <${type === "array" ? "a,b,…" : type}>`;
    const needed = required ? usage.needed(description) : description;
    super(`${cli}${value}`, fallback === undefined ? needed : usage.withPreset(needed, JSON.stringify(fallback)));
    this.#key = keyOf(name);
    this.negate = false;
    if (type === "array")
      this.argParser((more: string, list?: string) => (list === undefined ? more : `${list},${more}`));
  }

  override attributeName(): string {
    return this.#key;
  }
}

/** Keeps parameters apart from the program's own flags. */
function keyOf(name: string): string {
  return `parameter ${name}`;
}

/** By the parameters' own flags, and by `--param` where the program itself has a flag of that name. */
function givenParameters({ agent }: FlowDefinition, flags: AgentRunFlags): Record<string, unknown> {
  const typed: Record<string, unknown> = { ...flags };
  const given = ownFlags(agent).map(([name]) => [name, typed[keyOf(name)]] as const);
  const named = flags.param.map((word) => {
    const at = word.indexOf("=");
    return at < 0 ? ([word, true] as const) : ([word.slice(0, at), word.slice(at + 1)] as const);
  });
  return Object.fromEntries([...given.filter(([, value]) => value !== undefined), ...named]);
}

function settingsIn({ agent, maxIterations, model, judgeModel, maxCost, maxTime, ...flags }: CommonRunFlags) {
  const { maxTokens, until, checkTimeout, allowTool, rawLog, onEnd, proof, protect, mayChange } = flags;
  const { passCredentials, allowHost, setup, setupTimeout, keep, review, reviewer, sandbox } = flags;
  const limits = { maxIterations, maxCost, maxTime, maxTokens, until, checkTimeout };
  const proving = { proof, protect, mayChange, review, reviewer, setup, setupTimeout, keep };
  const { worktree, base, merge, push, createPr, draft } = flags;
  const branch = { worktree, base, merge, push, createPr, draft };
  const { fallbackAfter, escalateTo } = flags;
  const bounds = { fallbackAfter, escalateTo, allowTool, passCredentials, allowHost, sandbox };
  return { agent, model, judgeModel, rawLog, onEnd, ...bounds, ...branch, ...proving, ...limits };
}

function usesStdin({ registry }: FlowDefinition): boolean {
  return Object.values(registry.steps).some((step) => step.usesStdin);
}

/** The project is needed before the parameters are known. */
async function projectIn(words: readonly string[], context: CliContext): Promise<string> {
  const inline = words.find((word) => word.startsWith("--project="));
  const at = words.findIndex((word) => word === "-p" || word === "--project");
  if (inline || at >= 0) return resolve(inline?.slice("--project=".length) ?? words[at + 1] ?? ".");
  const project = await findProject(process.cwd());
  tellProject(project, context);
  return project;
}
