import type { Task } from "../task.ts";

/** The parameters that name a flow's issue. */
export const ISSUE_PARAMETERS = ["issue", "issueNumber", "issue_number", "issue-number"];

/** The issue that a flow's parameters name. */
export function issueIn(parameters: Readonly<Record<string, unknown>>): number | undefined {
  const values = ISSUE_PARAMETERS.map((name) => Number(parameters[name]));
  return values.find((value) => Number.isInteger(value) && value > 0);
}

/** The issue that a task works on: the backlog's, or the one that its parameters name. Its title is known once it was looked up. */
export function issueOf({
  issue,
  issues = [],
  flow,
}: Pick<Task, "issue" | "issues" | "flow">): { number: number; title?: string } | undefined {
  if (issue) return issue;
  const number = flow ? issueIn(flow.parameters) : undefined;
  if (number === undefined) return undefined;
  const title = issues.find((one) => one.kind === "issue" && one.number === number)?.title;
  return { number, ...(title !== undefined && { title }) };
}
