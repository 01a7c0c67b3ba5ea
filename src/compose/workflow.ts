import { readWorkflow } from "../configuration/flow/read/workflow.ts";
import { createReport, type Report } from "../configuration/flow/report.ts";
import { readTextFileIfThere, within } from "../connection/files.ts";
import { spelledAgent } from "../model/agent-choice.ts";
import { E8Error } from "../model/errors.ts";
import type { Workflow } from "../model/flow/workflow.ts";
import { agentSettings } from "./agent-settings.ts";
import { unfitSteps } from "./step-agents.ts";

const PATH = ".agent/workflow.json";

/** The project's workflow. Throws where there is none, or where it has errors: all of them. */
export async function loadWorkflow(project: string): Promise<Workflow> {
  const workflow = await findWorkflow(project);
  if (!workflow) throw new E8Error("workflow_missing", { path: within(project, PATH) });
  return workflow;
}

/** Undefined where the project has none: then an issue is a task. */
export async function findWorkflow(project: string): Promise<Workflow | undefined> {
  const file = await readTextFileIfThere(within(project, PATH));
  if (!file) return undefined;
  const report = createReport();
  const workflow = readWorkflow(file.text, report, agentSettings);
  if (workflow) await checkPhases(project, workflow, report);
  if (workflow && !report.hasErrors()) return workflow;
  const problems = report.problems().filter(({ severity }) => severity === "error");
  throw new E8Error("workflow_invalid", { path: within(project, PATH), problems });
}

/** Who works in a phase must be able to take the steps that name no agent. A definition with errors says so when its turn comes. */
async function checkPhases(project: string, { phases, agents }: Workflow, report: Report): Promise<void> {
  for (const [name, phase] of Object.entries(phases)) {
    if (phase.type !== "actionable" || phase.runner === undefined) continue;
    const { checkDefinition } = await import("./definitions.ts");
    const directory = agents[phase.agent]?.directory ?? phase.agent;
    const { definition } = await checkDefinition(project, directory).catch(() => ({ definition: undefined }));
    const place = { file: "workflow.json", path: ["phases", name, "runner", "agent"] };
    for (const { step: stepId, capability } of definition ? unfitSteps(definition, phase.runner) : [])
      report.add("STEP_AGENT_LACKS", place, { stepId, agent: spelledAgent(phase.runner), capability });
  }
}
