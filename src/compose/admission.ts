import { allowanceProblems } from "../judgment/fleet/allowed.ts";
import { type Submission, submissionProblems } from "../judgment/fleet/submission.ts";
import type { Allowance } from "../model/allowance.ts";
import { E8Error } from "../model/errors.ts";
import { listed, type Message } from "../model/message.ts";
import type { Task } from "../model/task.ts";

/** Throws `task_refused` for a task that no machine may take. One without a repository is for a worker of its directory. */
export function requireSubmittable(task: Submission): void {
  refuse(submissionProblems(task, { isOfDirectory: task.repository === undefined }));
}

/** The same for a task that was given, and what this machine's own list does not allow. */
export function requireAllowed(task: Task, allowance: Allowance, { isOfDirectory = false } = {}): void {
  refuse(submissionProblems(task, { isOfDirectory }), task.task_id);
  const problems = allowanceProblems(task, allowance);
  if (problems.length > 0)
    throw new E8Error("task_not_allowed", { id: task.task_id, problems: listed(problems, "\n") });
}

function refuse(problems: readonly Message[], id?: string): void {
  if (problems.length === 0) return;
  throw new E8Error("task_refused", { problems: listed(problems, "\n"), ...(id !== undefined && { id }) });
}
