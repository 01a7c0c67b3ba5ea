import { createTracker } from "../connection/trackers/create-tracker.ts";
import { blockers } from "../orchestrator/choose.ts";
import { inOrder } from "../orchestrator/order.ts";
import { findWorkflow } from "./workflow.ts";

const MOST_ISSUES = 200;

/** An open issue of the tracker, and the open ones that come first. */
export interface OpenIssue {
  issue: number;
  title: string;
  blocked_by: number[];
}

/** The open issues in the order in which they are worked on. */
export async function openIssues(project: string, signal: AbortSignal): Promise<OpenIssue[]> {
  const tracker = await createTracker({ project, environment: process.env });
  const listed = await tracker.list({ state: "open", labels: [], limit: MOST_ISSUES }, signal);
  const issues = listed.filter(({ kind }) => kind === "issue");
  const open = new Set(issues.map(({ number }) => number));
  const workflow = await findWorkflow(project).catch(() => undefined); // its own commands say what is wrong with it
  return inOrder(issues, workflow?.prioritizer).map((issue) => ({
    issue: issue.number,
    title: issue.title,
    blocked_by: blockers(issue, (number) => open.has(number)),
  }));
}
