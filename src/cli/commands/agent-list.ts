import { checkDefinition, listAgents } from "../../compose/definitions.ts";
import { asE8Error } from "../../model/errors.ts";
import { oneLine, table } from "../render/lines.ts";
import type { Surroundings } from "../surroundings.ts";

export async function agentListCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: Surroundings,
): Promise<void> {
  const names = await listAgents(project);
  const agents = await Promise.all(names.map((name) => overview(project, name)));
  if (json) return output.result(JSON.stringify(agents, null, 2));
  if (agents.length === 0) return output.progress(texts.agents.none);
  const rows = agents.map(({ name, steps, completion, problems, description }) => [
    name,
    problems > 0 ? texts.agents.broken(problems) : String(steps),
    completion,
    oneLine(description, 70),
  ]);
  for (const line of table([texts.agents.columns, ...rows])) output.result(line);
}

async function overview(project: string, name: string) {
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
    return { name, steps: 0, completion: "", problems: 1, description: asE8Error(error).message };
  }
}
