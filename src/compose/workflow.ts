import { readWorkflow } from "../configuration/flow/read/workflow.ts";
import { createReport } from "../configuration/flow/report.ts";
import { readTextFileIfThere, within } from "../connection/files.ts";
import { E8Error } from "../model/errors.ts";
import type { Workflow } from "../model/flow/workflow.ts";

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
  const workflow = readWorkflow(file.text, report);
  if (workflow) return workflow;
  const problems = report.problems().filter(({ severity }) => severity === "error");
  throw new E8Error("workflow_invalid", { path: within(project, PATH), problems });
}
