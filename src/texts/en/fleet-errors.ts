import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "repository_url_invalid"
  | "remote_unreachable"
  | "remote_base_missing"
  | "snapshot_elsewhere"
  | "snapshot_lost"
  | "snapshot_refused"
  | "fleet_limit_reached"
  | "fleet_budget_spent"
  | "task_refused"
  | "task_not_allowed"
  | "sandbox_needed"
  | "task_stays"
  | "place_unusable";

/** About tasks that any machine may work on. */
export const enFleetErrors: Pick<ErrorTexts, ErrorCodes> = {
  repository_url_invalid: (d, tell) => [
    `The repository cannot be used: ${tell(d.problem)}.`,
    "Give its URL as every worker's machine reaches it, such as https://github.com/team/app.git, without a password.",
  ],
  remote_unreachable: (d) => [
    `${d.repository} cannot be reached from this machine: ${d.said}`,
    "Look whether the machine has network and credentials for it: git ls-remote. The task goes on where its last snapshot is.",
  ],
  remote_base_missing: (d) => [
    `${d.repository} has no branch ${d.base}.`,
    "Push the branch, or give the task another base.",
  ],
  snapshot_elsewhere: (d) => [
    `The files of task ${d.id} are in ${d.repository}; ${d.directory} is no checkout of it that has the commit at which the task began.`,
    `Do this in a clone of it: git clone ${d.repository}; in a checkout that is behind: git fetch. \`e8 diff ${d.id}\` works here.`,
  ],
  snapshot_lost: (d) => [
    `${d.repository} no longer has ${d.commit}, at which task ${d.id} has to go on.`,
    `Somebody has removed refs/e8/${d.id}/. If a clone still has the commit, push it there; otherwise give the task anew.`,
  ],
  snapshot_refused: (d) => [
    `${d.repository} refuses ${d.ref} of task ${d.id}: ${d.said}`,
    "Workers must be allowed to create, replace and delete refs under refs/e8/. The iteration is repeated when the task goes on.",
  ],
  fleet_limit_reached: (d) => [
    `No more than ${d.limit} at once of ${d.kind} ${d.name}: the limit is reached.`,
    "Wait until another task ends. `e8 fleet limit` shows all limits.",
  ],
  fleet_budget_spent: (d) => [
    `The budget of ${d.project} is spent, or set aside for answers that are being waited for.`,
    "The task goes on when there is money again: the next day (UTC), or when the owner raises the limit. `e8 fleet limit` shows it.",
  ],
  task_refused: (d, tell) => [
    `${d.id === undefined ? "The task" : `Task ${d.id}`} is not taken: ${tell(d.problems)}`,
    d.id === undefined
      ? "Correct the task file; nothing was submitted. docs/fleet.md says what a task for a fleet may have."
      : "No machine takes it. Give it anew without that; docs/fleet.md says what a task for a fleet may have.",
  ],
  task_not_allowed: (d, tell) => [
    `Task ${d.id} is not for this machine: ${tell(d.problems)}`,
    "Another machine may take it. What this one allows is in its `--repo`, `--allow-command` and `--allow` file.",
  ],
  sandbox_needed: (d, tell) => [
    `This machine has no sandbox for the tasks of others: ${tell(d.problem)}.`,
    "Install bubblewrap, or say `sandbox: off` in the file of `--allow` where the machine itself is the boundary, as a container is.",
  ],
  task_stays: (d) => [
    `Task ${d.id} names no repository, so only the machine that has ${d.directory} can work on it.`,
    `Go on there: e8 run --resume ${d.id}. For a task that any machine may work on, use e8 submit.`,
  ],
  place_unusable: (d, tell) => [
    `No checkout could be made in ${d.path}: ${tell(d.problem)}.`,
    "If this machine's copy of the repository is damaged, remove the directory while no worker uses it; it is made anew.",
  ],
};
