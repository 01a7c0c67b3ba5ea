import { resolve } from "node:path";
import process from "node:process";
import { type Command, Option } from "commander";
import { E8Error } from "../model/errors.ts";
import { oneOf, unfit } from "../model/flag-value.ts";
import type { Statement } from "../model/message.ts";
import type { FollowOptions } from "./follow.ts";
import type { CliContext } from "./output.ts";
import { speak } from "./speech.ts";

/** The flags that tasks and agents have in common, as they were typed. */
export interface CommonRunFlags extends FollowOptions {
  project: string;
  maxIterations?: string;
  agent?: string;
  model?: string;
  judgeModel?: string;
  maxCost?: string;
  maxTime?: string;
  maxTokens?: string;
  checkTimeout?: string;
  rawLog?: boolean;
}

export function addRunFlags(command: Command, { texts }: CliContext): Command {
  const { help } = texts;
  const spoken = command.parent ? command : speak(command, texts); // the parser of an agent's own flags stands alone
  return spoken
    .addOption(new Option("-n, --max-iterations <n>", help.maxIterations))
    .addOption(new Option("-V, --verbose", help.verbose))
    .addOption(new Option("-q, --quiet", help.quiet))
    .addOption(new Option("--agent <agent>", help.agentChoice))
    .addOption(new Option("--model <model>", help.model))
    .addOption(new Option("--judge-model <model>", help.judgeModel))
    .addOption(new Option("--max-cost <usd>", help.maxCost))
    .addOption(new Option("--max-time <duration>", help.maxTime))
    .addOption(new Option("--max-tokens <n>", help.maxTokens))
    .addOption(new Option("--check-timeout <duration>", help.checkTimeout))
    .addOption(new Option("--raw-log", help.rawLog))
    .addOption(new Option("--plain", help.plain))
    .addOption(new Option("--json", help.json))
    .addOption(new Option("--json-events", help.jsonEvents));
}

export function addProject(command: Command, { texts }: CliContext): Command {
  const project = new Option("-p, --project <directory>", texts.help.project);
  return command.addOption(project.argParser((path) => resolve(path)).default(process.cwd(), "."));
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
