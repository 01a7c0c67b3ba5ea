import { relative } from "node:path";
import process from "node:process";
import { scaffoldFlow } from "../../compose/definitions.ts";
import type { CliContext } from "../context.ts";

export async function agentInitCommand(
  name: string,
  { project, from }: { project: string; from: string },
  { texts, output }: CliContext,
): Promise<void> {
  const directory = await scaffoldFlow(project, name, { template: from, language: texts.language });
  output.result(texts.agents.made(relative(process.cwd(), directory)));
  output.result(`${texts.nextStep}: e8 agent validate ${name} && e8 agent run ${name} --help`);
}
