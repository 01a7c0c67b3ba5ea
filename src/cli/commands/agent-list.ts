import { checkDefinition, listFlows } from "../../compose/definitions.ts";
import { asE8Error, type E8Error } from "../../model/errors.ts";
import { errorText } from "../../texts/sentences.ts";
import type { CliContext } from "../context.ts";
import { tableOrBlocks } from "../render/columns.ts";

export async function agentListCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const names = await listFlows(project);
  const agents = await Promise.all(names.map((name) => overview(project, name)));
  if (json) return output.result(JSON.stringify(agents.map(plain), null, 2));
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

function plain({ error, description, ...rest }: AgentOverview): object {
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
