import { setTimeout as sleep } from "node:timers/promises";
import { message } from "../../model/message.ts";
import { shellQuoted } from "../../model/shell-quotes.ts";
import type { Landing } from "../ports/branch.ts";
import { type Base, landedRef, tipsOf } from "./base.ts";
import { type Checkout, commitOf, gitAt, gitProblem, isAncestor } from "./checkout.ts";
import { rememberDescent } from "./commits.ts";
import { identity } from "./integrate.ts";

interface LandingPlan {
  tree: string;
  message: string;
  base: Base;
  /** The branch's tip. It contains every tip of the base that was integrated. */
  tip: string;
  /** Brings a checkout of the base forward, where that loses nothing. */
  forwards: boolean;
}

/** A commit that is to become the base's tip, in the place of `from`. */
interface Step {
  name: string;
  from: string;
  to: string;
}

/**
 * Lands a proved tree: a commit of that very tree, with the base and the branch as its parents. No second merge and no second checkout,
 * so what was proved is what lands. A branch that the base already contains has landed before.
 */
export async function land(checkout: Checkout, plan: LandingPlan): Promise<Landing> {
  const { base, tip } = plan;
  const { git } = checkout;
  const { tips, problem } = await tipsOf(checkout, base);
  const [from] = tips;
  if (from === undefined) return { is: "failed", problem: problem ?? message("base_missing", { base: base.name }) };
  if (await isAncestor(git, tip, from)) return landedAt(checkout, plan, from);
  for (const one of tips) if (!(await isAncestor(git, one, tip))) return { is: "moved" };
  const made = await landingCommit(checkout, plan, from);
  if (!("commit" in made)) return made;
  const step = { name: base.name, from, to: made.commit };
  return base.remote === null ? landHere(checkout, plan, step) : pushBase(checkout, base.remote, step);
}

async function landedAt({ git }: Checkout, { base }: LandingPlan, commit: string): Promise<Landing> {
  if (base.remote !== null) return { is: "landed", commit, remote: base.remote };
  const isOnBase = (await commitOf(git, `refs/heads/${base.name}`)) === commit;
  return isOnBase ? { is: "landed", commit } : keptFor(base.name, commit, await whereCheckedOut(git, base.name));
}

async function landingCommit(
  { git }: Checkout,
  { tree, tip, message: words }: LandingPlan,
  from: string,
): Promise<{ commit: string } | Landing> {
  const isSigned = (await git(["config", "--type=bool", "--get", "commit.gpgsign"])).output.trim() === "true";
  const parents = ["-p", from, "-p", tip];
  const args = [...(await identity(git)), "commit-tree", tree, ...parents, ...(isSigned ? ["-S"] : []), "-F", "-"];
  const made = await git(args, words);
  const commit = made.output.trim();
  if (made.exit_code === 0) for (const parent of [from, tip]) rememberDescent(parent, commit);
  if (made.exit_code === 0) return { commit };
  return { is: "failed", problem: gitProblem("commit-tree", made) };
}

/** A push with a lease refuses a branch that has moved, and one that is checked out anywhere, also in the middle of a rebase. */
async function landHere(checkout: Checkout, { forwards }: LandingPlan, step: Step): Promise<Landing> {
  const { git } = checkout;
  const { name, from, to } = step;
  const tip = await commitOf(git, `refs/heads/${name}`);
  if (tip === undefined) return { is: "moved" };
  for (let attempt = 1; attempt <= PUSH_ATTEMPTS; attempt += 1) {
    if (await pushed(checkout, ".", { name, from: tip, to })) {
      if (from !== tip) await git(["update-ref", "-d", landedRef(name), from]);
      return { is: "landed", commit: to };
    }
    if ((await commitOf(git, `refs/heads/${name}`)) !== tip) return { is: "moved" };
    const place = await whereCheckedOut(git, name);
    if (place !== undefined) return await keep(checkout, { ...step, place, forwards });
    await sleep(PAUSE_MILLISECONDS * attempt);
  }
  return keep(checkout, { ...step, place: undefined, forwards }); // in the middle of a rebase, git calls it detached
}

const PUSH_ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 200;

async function pushed({ git }: Checkout, where: string, { name, from, to }: Step): Promise<boolean> {
  return (await pushStep(git, where, { name, from, to })).exit_code === 0;
}

/**
 * What git is told that takes in a push to this repository: settings of the git that pushes do not reach it. No hook runs, which a worker
 * may have written; a branch that is checked out is refused, whatever the repository says; and it looks at the branches alone, not at the
 * names of all snapshots.
 */
const TAKES_IN = [
  ...["core.hooksPath=/dev/null", "receive.autogc=false", "receive.denyCurrentBranch=refuse"],
  ...["receive.hideRefs=refs/e8", "core.alternateRefsCommand='exit #'"],
];
const RECEIVER = ["git", ...TAKES_IN.map((setting) => `-c ${setting}`), "receive-pack"].join(" ");

function pushStep(git: Checkout["git"], where: string, { name, from, to }: Step) {
  const ref = `refs/heads/${name}`;
  const lease = `--force-with-lease=${ref}:${from}`;
  const receiver = where === "." ? [`--receive-pack=${RECEIVER}`] : [];
  return git(["push", "--quiet", "--no-verify", ...receiver, lease, where, `${to}:${ref}`]);
}

async function pushBase(checkout: Checkout, remote: string, step: Step): Promise<Landing> {
  const { git, remote: access } = checkout;
  const { name: branch, from, to } = step;
  const answer = access ? await access.push({ branch, from, to }) : await pushStep(git, remote, step);
  if (answer.exit_code === 0) return { is: "landed", commit: step.to, remote };
  const { tips } = await tipsOf(checkout, { name: step.name, remote });
  if (tips.length > 0 && tips[0] !== step.from) return { is: "moved" };
  return { is: "failed", problem: message("push_refused", { remote, branch: step.name, said: answer.said }) };
}

/** The base stays where the user's checkout has it. Later work builds on the commit that is kept. */
async function keep(
  { git }: Checkout,
  { name, from, to, place, forwards }: Step & { place: string | undefined; forwards: boolean },
): Promise<Landing> {
  const before = await commitOf(git, landedRef(name));
  if (before !== undefined && before !== from) return { is: "moved" };
  const named = await git(["update-ref", landedRef(name), to, before ?? ""]);
  if (named.exit_code !== 0) return { is: "moved" };
  if (forwards && place !== undefined && (await forward(place, name, to))) {
    await git(["update-ref", "-d", landedRef(name), to]);
    return { is: "landed", commit: to };
  }
  return keptFor(name, to, place);
}

function keptFor(name: string, commit: string, place: string | undefined): Landing {
  const where = place === undefined ? "" : ` -C ${shellQuoted(place)}`;
  return { is: "kept", commit, checkout: place ?? "", forward: `git${where} merge --ff-only ${landedRef(name)}` };
}

/** Brings a base, checked out or not, to what has landed. False where something of the user's is in the way. */
export async function bringForward(checkout: Checkout, name: string): Promise<boolean> {
  const { git } = checkout;
  const [to, from, place] = await Promise.all([
    commitOf(git, landedRef(name)),
    commitOf(git, `refs/heads/${name}`),
    whereCheckedOut(git, name),
  ]);
  if (to === undefined) return true; // the base has it
  const isMoved = place === undefined ? await moveFree(checkout, { name, from, to }) : await forward(place, name, to);
  if (isMoved) await git(["update-ref", "-d", landedRef(name), to]);
  return isMoved;
}

/** A base that is not checked out any more. */
async function moveFree(checkout: Checkout, { name, from, to }: Omit<Step, "from"> & { from: string | undefined }) {
  if (from === undefined || !(await isAncestor(checkout.git, from, to))) return false;
  return pushed(checkout, ".", { name, from, to });
}

/** Git refuses where a file is in the way; other changes of the user's stay as they are. */
async function forward(place: string, name: string, to: string): Promise<boolean> {
  const git = gitAt(place);
  const head = await git(["symbolic-ref", "--quiet", "HEAD"]);
  if (head.output.trim() !== `refs/heads/${name}`) return false;
  return (await git(["merge", "--quiet", "--ff-only", "--no-overwrite-ignore", to])).exit_code === 0;
}

async function whereCheckedOut(git: Checkout["git"], name: string): Promise<string | undefined> {
  const { output } = await git(["worktree", "list", "--porcelain", "-z"]);
  const blocks = output.split("\0\0").map((block) => block.split("\0"));
  const found = blocks.find((lines) => lines.includes(`branch refs/heads/${name}`));
  return found?.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
}
