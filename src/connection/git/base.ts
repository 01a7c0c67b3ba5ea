import { setTimeout as sleep } from "node:timers/promises";
import { message } from "../../model/message.ts";
import type { RemoteAccess } from "../ports/machine-place.ts";
import type { GitAnswer } from "../processes/git.ts";
import { type Checkout, commitOf, type Git, impossible, isAncestor } from "./checkout.ts";
import { gitFoldersIn, readRef } from "./own-files.ts";

/** The branch that the work lands on. */
export interface Base {
  name: string;
  /** Where it lands: on a branch of this repository, or on one of this remote. */
  remote: string | null;
}

/** What has landed and the base could not take yet, because it is checked out. */
export function landedRef(base: string): string {
  return `refs/e8/landed/${base}`;
}

/** The remote's branch as we have seen it last. */
function seenRef({ name, remote }: Base): string {
  return `refs/e8/seen/${remote}/${name}`;
}

/** The commit that new work begins at. Throws `branch_impossible` where there is no such base. */
export async function startOf(checkout: Checkout, base: Base): Promise<string> {
  const { tips, problem } = await tipsOf(checkout, base);
  const [first] = tips;
  if (first === undefined) throw impossible(problem ?? message("base_missing", { base: base.name }));
  return first;
}

/** Everything that a landing must contain, the newest first. None: there is no such branch. */
export async function tipsOf(
  checkout: Checkout,
  base: Base,
): Promise<{ tips: string[]; problem?: ReturnType<typeof message> }> {
  if (base.remote !== null) return remoteTip(checkout, base);
  const { git } = checkout;
  const refs = [`refs/heads/${base.name}`, landedRef(base.name)];
  const [tip, landed] = read(checkout, refs) ?? (await asked(git, refs));
  if (tip === undefined) return { tips: [] };
  if (landed === undefined) return { tips: [tip] };
  if (await isAncestor(git, landed, tip)) {
    await git(["update-ref", "-d", landedRef(base.name), landed]); // the user has brought the checkout forward
    return { tips: [tip] };
  }
  return { tips: (await isAncestor(git, tip, landed)) ? [landed] : [landed, tip] };
}

/** Undefined where git must be asked. */
function read({ top }: Checkout, refs: readonly string[]): (string | undefined)[] | undefined {
  const folders = gitFoldersIn(top);
  const commits = folders ? refs.map((ref) => readRef(folders, ref)) : [];
  return commits[0] === undefined ? undefined : commits;
}

async function asked(git: Git, refs: readonly string[]): Promise<(string | undefined)[]> {
  const { output } = await git(["for-each-ref", "--format=%(refname) %(objectname)", ...refs]);
  const lines = output.split("\n").map((line) => line.split(" "));
  return refs.map((ref) => lines.find(([name]) => name === ref)?.[1]);
}

async function remoteTip({ git, remote: access }: Checkout, base: Base) {
  const { name, remote } = base;
  if (access) return tipsIn(await access.tip(name), base);
  const fetched = await fetchSeen(git, base);
  if (fetched.exit_code !== 0)
    return {
      tips: [],
      problem: message("remote_unreadable", { remote: remote ?? "", base: name, said: fetched.said }),
    };
  const tip = await commitOf(git, seenRef(base));
  return { tips: tip === undefined ? [] : [tip] };
}

function tipsIn(found: Awaited<ReturnType<RemoteAccess["tip"]>>, { name, remote }: Base) {
  if ("said" in found)
    return { tips: [], problem: message("remote_unreadable", { remote: remote ?? "", base: name, said: found.said }) };
  return { tips: found.commit === undefined ? [] : [found.commit] };
}

/** Runs that fetch at the same time may be in each other's way at the ref. The user's FETCH_HEAD stays as it is. */
async function fetchSeen(git: Git, base: Base): Promise<GitAnswer> {
  const refs = `+refs/heads/${base.name}:${seenRef(base)}`;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", base.remote ?? "", refs];
  for (let attempt = 1; ; attempt += 1) {
    const answer = await git(fetch);
    if (answer.exit_code === 0 || attempt === FETCH_ATTEMPTS) return answer;
    await sleep(PAUSE_MILLISECONDS * attempt);
  }
}

const FETCH_ATTEMPTS = 4;
const PAUSE_MILLISECONDS = 100;
