import { type Command, Option } from "commander";
import type { FollowOptions } from "./follow.ts";
import { speak } from "./speech.ts";
import type { Surroundings } from "./surroundings.ts";

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

export function addRunFlags(command: Command, { texts }: Surroundings): Command {
  const { help } = texts;
  const spoken = command.parent ? command : speak(command, texts); // the parser of an agent's own flags stands alone
  return spoken
    .addOption(new Option("-n, --max-iterations <n>", help.maxIterations))
    .addOption(new Option("-V, --verbose", help.verbose))
    .addOption(new Option("--agent <agent>", help.agentChoice))
    .addOption(new Option("--model <model>", help.model))
    .addOption(new Option("--judge-model <model>", help.judgeModel))
    .addOption(new Option("--max-cost <usd>", help.maxCost))
    .addOption(new Option("--max-time <duration>", help.maxTime))
    .addOption(new Option("--max-tokens <n>", help.maxTokens))
    .addOption(new Option("--check-timeout <duration>", help.checkTimeout))
    .addOption(new Option("--raw-log", help.rawLog))
    .addOption(new Option("--plain", help.plain))
    .addOption(new Option("--json", help.json));
}
