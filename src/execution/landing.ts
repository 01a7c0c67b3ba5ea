import type { Branch, Landing } from "../connection/ports/branch.ts";
import { problemOf } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { issueOf } from "../model/flow/issue-parameter.ts";
import { type Message, message } from "../model/message.ts";
import type { LandingRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";

/** How often workers may try to settle conflicts, and how often a base may move away in one go. */
const MOST_CONFLICTS = 3;
const MOST_ROUNDS = 3;

type Outcome = Omit<LandingRecord, "type" | "iteration" | "branch" | "base" | "timestamp">;

/** Where the work of a task with a branch of its own goes. A pull request takes the place of a merge. */
export function landsOn({ ports, configuration: { finalize } }: RunContext): "base" | "remote" | undefined {
  if (!ports.branch) return undefined;
  if (finalize.create_pr) return "remote";
  if (finalize.merge) return "base";
  return finalize.push ? "remote" : undefined;
}

/**
 * Brings proved work from the task's own branch to its base. A base that has moved comes into the worktree first, and the work is proved
 * again: only the proved tree lands. No other run lands on the base meanwhile.
 */
export async function* landWork(context: RunContext, state: RunState): AsyncGenerator<RunEvent, LandingRecord> {
  const { ports, signal } = context;
  const { branch } = ports;
  if (!branch) throw new Error("there is no branch to land");
  const iteration = state.judgment?.iteration ?? state.iterations;
  yield { type: "phase-start", phase: "queue", iteration };
  await branch.hold(signal);
  yield { type: "phase-start", phase: "land", iteration };
  const outcome = await broughtHome(context, branch, state);
  if (outcome.outcome !== "merged") await branch.free();
  const { branch: name, base } = branch;
  return { type: "landing", iteration, branch: name, base, ...outcome, timestamp: ports.clock.now().toISOString() };
}

async function broughtHome(context: RunContext, branch: Branch, state: RunState): Promise<Outcome> {
  const gathered = isOurs(state) ? undefined : await branch.gather(commitWords(context), state.landing?.files ?? []);
  if (gathered && "problem" in gathered) return failed(gathered.problem);
  const { merge, create_pr } = context.configuration.finalize;
  const meetsBase = (merge || create_pr) && state.proof?.holds === true;
  return meetsBase ? withBase(context, branch, state) : publishWork(context, branch, state);
}

/** Since the merge of the base, nobody has worked in the worktree: what was proved is its last commit. */
function isOurs({ landing, proof, iterations }: RunState): boolean {
  return landing?.outcome === "merged" && landing.iteration === iterations && proof?.holds === true;
}

async function withBase(context: RunContext, branch: Branch, state: RunState): Promise<Outcome> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const base = await branch.integrate();
    if (base.is === "failed") return failed(base.problem);
    if (base.is === "merged") return { outcome: "merged", commit: base.commit, base_commit: base.base };
    if (base.is === "conflict") return conflict(context, branch, { ...base, before: state.conflicts });
    if (context.configuration.finalize.create_pr) return publishWork(context, branch, state);
    const landing = await branch.land({ proved: state.proof?.commit ?? "", message: landingWords(context, branch) });
    if (landing.is !== "moved") return outcomeOf(landing);
  }
  return failed(message("base_keeps_moving", { base: branch.base }));
}

/** A worker settles it, or the merge is undone and everything is kept. */
async function conflict(
  { configuration }: RunContext,
  branch: Branch,
  { base, files, before }: { base: string; files: string[]; before: number },
): Promise<Outcome> {
  if (configuration.finalize.on_conflict === "agent" && before < MOST_CONFLICTS)
    return { outcome: "conflict", files, base_commit: base };
  await branch.abandon();
  return { ...failed(message("merge_conflict_stays", { base: branch.base, files })), files };
}

function outcomeOf(landing: Exclude<Landing, { is: "moved" }>): Outcome {
  if (landing.is === "failed") return failed(landing.problem);
  const { commit } = landing;
  if (landing.is === "kept") return { outcome: "kept", commit, forward: landing.forward };
  return { outcome: "landed", commit, ...(landing.remote !== undefined && { remote: landing.remote }) };
}

function failed(problem: Message): Outcome {
  return { outcome: "failed", problem };
}

/** Pushes the branch, and opens its pull request. Both look first, so both are harmless when made again. */
async function publishWork(context: RunContext, branch: Branch, state: RunState): Promise<Outcome> {
  const { ports, configuration, signal } = context;
  const { remote, create_pr, draft, pr_target } = configuration.finalize;
  const pushed = await branch.publish(remote);
  if ("problem" in pushed) return failed(pushed.problem);
  const published = { outcome: "published", remote, commit: pushed.commit } as const;
  if (!create_pr || !ports.tracker) return published;
  const issue = issueOf(ports.store.task);
  const isDraft = draft || !state.proof?.holds;
  const words = { title: titleOf(context), body: pullRequestBody(context, state) };
  try {
    const wanted = { ...words, head: branch.branch, base: pr_target ?? branch.base, draft: isDraft };
    const { number, url } = await ports.tracker.openPullRequest(wanted, signal);
    if (issue) await ports.tracker.link({ issue: issue.number, pull_request: number, closes: true }, signal);
    return { ...published, pull_request: { number, url } };
  } catch (error) {
    haltIfAborted(signal);
    return failed(message("pull_request_failed", { branch: branch.branch, problem: problemOf(error) }));
  }
}

/** The verdict, how it was reached, and the evidence for each criterion. */
function pullRequestBody({ ports, configuration, tell }: RunContext, { judgment, proof }: RunState): string {
  const evaluations = proof?.evaluations.length ? proof.evaluations : (judgment?.evaluations ?? []);
  return tell(
    message("pull_request_body", {
      task: configuration.task,
      id: ports.store.task.task_id,
      evaluations: evaluations.map(({ criterion, is_met, evidence }) => ({ criterion, is_met, evidence })),
      proof: proof?.holds ? { method: proof.method, commit: proof.commit } : null,
    }),
  );
}

const LONGEST_TITLE = 68;

/** The first line of the task, as a commit's title. */
function titleOf({ ports, configuration }: RunContext): string {
  const issue = issueOf(ports.store.task);
  const [first = ""] = (issue?.title ?? configuration.task).trim().split("\n", 1);
  const line = issue ? `${first} (#${issue.number})` : first;
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}

export function commitWords(context: RunContext): string {
  return `${titleOf(context)}\n\nendless8 task ${context.ports.store.task.task_id}\n`;
}

function landingWords(context: RunContext, { branch, base }: Branch): string {
  return `Merge ${branch} into ${base}\n\n${titleOf(context)}\n\nendless8 task ${context.ports.store.task.task_id}\n`;
}
