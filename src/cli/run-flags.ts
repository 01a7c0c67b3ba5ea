import { resolve } from "node:path";
import process from "node:process";
import { type Command, Option } from "commander";
import type { Check } from "../model/criterion.ts";
import { E8Error } from "../model/errors.ts";
import { oneOf, unfit } from "../model/flag-value.ts";
import { DEFAULTS } from "../model/limits.ts";
import type { Statement } from "../model/message.ts";
import { exitCodes } from "./exit-codes.ts";
import type { FollowOptions } from "./follow.ts";
import type { CliContext } from "./output.ts";
import { speak } from "./speech.ts";

/** The flags that tasks and agents have in common, as they were typed. */
export interface CommonRunFlags extends FollowOptions {
  project: string;
  maxIterations?: string;
  agent?: string[];
  fallbackAfter?: string;
  escalateTo?: string;
  model?: string;
  judgeModel?: string[];
  maxCost?: string;
  maxTime?: string;
  maxTokens?: string;
  until?: string;
  checkTimeout?: string;
  allowTool?: string[];
  proof?: string;
  protect?: string[];
  mayChange?: string[];
  review?: boolean;
  reviewer?: string[];
  passCredentials?: string[];
  setup?: string[];
  setupTimeout?: string;
  keep?: string[];
  allowHost?: string[];
  rawLog?: boolean;
  samePlace?: boolean;
  acceptChanges?: boolean;
  sandbox?: string;
  worktree?: boolean;
  base?: string;
  merge?: boolean;
  push?: boolean;
  createPr?: boolean;
  draft?: boolean;
  onEnd?: string;
}

/** `iterations`: how many there are at most where nothing is said. An agent of steps has its own number. */
export function addRunFlags(command: Command, context: CliContext, iterations?: number): Command {
  const { help } = context.texts;
  return addCommonFlags(command, context, iterations).option("--keep <files>", help.keep, collect, []);
}

/** The same without `--keep`, which `e8 compare` has for something else. */
export function addCommonFlags(command: Command, { texts }: CliContext, iterations?: number): Command {
  const { help, usage } = texts;
  const spoken = command.parent ? command : speak(command, texts); // the parser of an agent's own flags stands alone
  return spoken
    .addOption(iterationsOption(texts, iterations))
    .addOption(new Option("-V, --verbose", help.verbose))
    .addOption(new Option("-q, --quiet", help.quiet))
    .addOption(preset("--agent <agent>", help.agentChoice, DEFAULTS.agent).argParser(collectAny))
    .addOption(preset("--fallback-after <duration>", help.fallbackAfter, `${DEFAULTS.fallback_after}m`))
    .addOption(new Option("--escalate-to <model or agent>", help.escalateTo))
    .addOption(preset("--model <model>", help.model, DEFAULTS.model))
    .addOption(preset("--judge-model <model>", help.judgeModel, DEFAULTS.model).argParser(collectAny))
    .addOption(preset("--max-cost <usd>", help.maxCost, usage.noLimit))
    .addOption(preset("--max-time <duration>", help.maxTime, usage.noLimit))
    .addOption(preset("--max-tokens <n>", help.maxTokens, usage.noLimit))
    .addOption(preset("--until <time>", help.until, usage.noLimit))
    .addOption(preset("--check-timeout <duration>", help.checkTimeout, `${DEFAULTS.command_timeout}s`))
    .option("--allow-tool <tool>", help.allowTool, collect, [])
    .option("--proof <mode>", help.proof)
    .option("--protect <files>", help.protect, collect, [])
    .option("--may-change <files>", help.mayChange, collect, [])
    .option("--no-review", help.noReview)
    .option("--reviewer <model>", help.reviewer, collect, [])
    .option("--pass-credentials <name>", help.passCredentials, collect, [])
    .option("--setup <command>", help.setup, collect, [])
    .addOption(preset("--setup-timeout <duration>", help.setupTimeout, `${DEFAULTS.setup_timeout}s`))
    .option("--allow-host <host>", help.allowHost, collect, [])
    .addOption(new Option("--raw-log", help.rawLog))
    .addOption(new Option("--same-place", help.samePlace))
    .addOption(new Option("--accept-changes", help.acceptChanges))
    .addOption(preset("--sandbox <level>", help.sandbox, "contain"))
    .addOption(new Option("--worktree", help.worktree))
    .addOption(new Option("--base <branch>", help.base))
    .addOption(new Option("--merge", help.merge))
    .addOption(new Option("--no-merge", help.noMerge).default(undefined))
    .addOption(new Option("--push", help.push))
    .addOption(new Option("--create-pr", help.createPr))
    .addOption(new Option("--draft", help.draft))
    .addOption(new Option("--on-end <command>", help.onEnd))
    .addOption(new Option("--plain", help.plain))
    .addOption(new Option("--json", help.json))
    .addOption(new Option("--json-events", help.jsonEvents))
    .addHelpText("after", () => `\n${usage.exitCodes}\n${exitCodeLines(texts).join("\n")}`);
}

/** A flag whose default the help shows. The setting comes from other places where the flag is absent, so it has no value. */
export function preset(flags: string, description: string, value: string): Option {
  return new Option(flags, description).default(undefined, value);
}

export function iterationsOption({ help }: CliContext["texts"], iterations?: number): Option {
  const flags = "-n, --max-iterations <n>";
  return iterations === undefined
    ? new Option(flags, help.maxIterations)
    : preset(flags, help.maxIterations, String(iterations));
}

function exitCodeLines({ status }: CliContext["texts"]): string[] {
  const meanings = new Map<number, string>();
  for (const [ending, code] of Object.entries(exitCodes)) meanings.set(code, status[ending as keyof typeof exitCodes]);
  return [...meanings].map(([code, meaning]) => `  ${code}  ${meaning}`);
}

export function addProject(command: Command, { texts }: CliContext): Command {
  const project = new Option("-p, --project <directory>", texts.help.project);
  return command.addOption(project.argParser((path) => resolve(path)).default(process.cwd(), "."));
}

/** For commands that are about tasks: the project, and where its tasks are. */
export function addPlace(command: Command, context: CliContext): Command {
  return addProject(command, context).option("--store <url>", context.texts.help.store);
}

/** Has the command find the tasks where `--store` says. Loads nothing of a database where there is none. */
export async function openStore(command: Command): Promise<void> {
  if (!command.options.some(({ long }) => long === "--store")) return;
  const { project, store: url } = command.opts<{ project?: string | string[]; store?: string }>();
  if (typeof project !== "string") return; // several may be shown: the command itself opens their stores
  const { chooseStore } = await import("../compose/choose-store.ts");
  await chooseStore({ project, url, environment: process.env });
}

/** Without `--project`, the project is looked for upwards, as git does. What `e8 init` writes goes where one is. */
export async function chooseProject(command: Command, context: CliContext): Promise<void> {
  if (command.getOptionValueSource("project") !== "default" || command.name() === "init") return;
  const { findProject } = await import("../compose/project.ts");
  const project = await findProject(process.cwd());
  command.setOptionValue("project", project);
  if (command.name() === "run") tellProject(project, context);
}

/** A worker that changes another directory than the user is in must not come as a surprise. */
export function tellProject(project: string, { texts, output }: CliContext): void {
  if (project !== process.cwd()) output.progress(texts.inProject(project));
}

/** Where a value was typed. */
export interface FlagPlace {
  flag: string;
  command: string;
}

/** `form`: what the value may be. */
export function unfitFlag(place: FlagPlace, value: string, form: Statement): E8Error {
  return new E8Error("flag_invalid", { ...place, problem: unfit(value, form) });
}

export function chosenFlag<T extends string>(place: FlagPlace, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw unfitFlag(place, value, oneOf(choices));
  return found;
}

/** For a flag that may be repeated. */
export function collect(value: string, values: string[]): string[] {
  return [...values, value];
}

/** The same for a flag whose default is not a list. */
export function collectAny(value: string, values: string[] = []): string[] {
  return collect(value, values);
}

/** What a task with criteria can be given, besides `addRunFlags`. Returns the criteria, in the order in which they are typed. */
export function addGoalFlags(command: Command, { texts: { help } }: CliContext): readonly (string | Check)[] {
  const criteria: (string | Check)[] = [];
  command
    .option("-c, --criteria <text>", help.criteria, (text: string) => void criteria.push(text))
    .option("--check <command>", help.check, (one: string) => void criteria.push({ type: "command", command: one }))
    .option("--unchanged <files>", help.unchanged, (files: string) => {
      criteria.push({ type: "unchanged", files: [files] });
    })
    .option("--only", help.only)
    .option("--no-intake", help.noIntake)
    .option("--if-green <what>", help.ifGreen)
    .option("--agent-command <program>", help.agentCommand);
  return criteria;
}
