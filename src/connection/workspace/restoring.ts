import { message } from "../../model/message.ts";
import type { Restored } from "../ports/workspace.ts";
import type { Repository } from "./repository.ts";
import { BEFORE_RESTORE, RESTORING, type Snapshots } from "./snapshots.ts";
import type { Trees } from "./trees.ts";

interface Parts {
  repository: Repository;
  trees: Trees;
  snapshots: Snapshots;
  task: string;
}

/** Makes the files those of a snapshot. The present ones are kept first; where one of them cannot be kept and would be lost, none is changed. */
export async function restore(parts: Parts, commit: string): Promise<Restored> {
  const { repository, trees, snapshots, task } = parts;
  const label = `${BEFORE_RESTORE}${Date.now()}`;
  const before = await snapshots.keep(label);
  if ("problem" in before) return before;
  const restoring = snapshots.ref(RESTORING);
  const interrupted = await snapshots.commitOf(restoring);
  if (interrupted === "") await snapshots.adopt(RESTORING, before.commit);
  const moved = await trees.move(before.commit, commit);
  const drop = async (ref: string) => void (await repository.git(["update-ref", "-d", ref]));
  const settle = () => drop(restoring);
  if (moved.exit_code !== 0) {
    const { problem, is_untouched, in_the_way: ways = [] } = moved;
    // Where nothing was changed, what is different now was changed by another program: it stays.
    if (!is_untouched && !(await isBack(parts, before.commit)))
      return { problem: message("restore_halfway", { problem, id: task, commit: before.commit }) };
    if (interrupted === "") await settle();
    await drop(snapshots.ref(label));
    if (ways.length === 0) return { problem: message("restore_failed", { problem }) };
    const files = snapshots.namesOf(ways.slice(0, MOST_NAMED)).join(", ");
    return { problem: message("restore_would_lose", { count: ways.length, files }) };
  }
  const isElsewhere = interrupted !== "" && !(await snapshots.isSame(interrupted, before.commit));
  const left_out = [...(before.left_out ?? []), ...(before.unreadable ?? [])];
  return {
    commit: before.commit,
    settle,
    ...(left_out.length > 0 && { left_out }),
    ...(isElsewhere && { interrupted }),
  };
}

/** Whether the files are those of the last snapshot, or are so again once a move that has failed is undone. */
async function isBack({ trees, snapshots }: Parts, commit: string): Promise<boolean> {
  const wanted = await snapshots.commitOf(`${commit}^{tree}`);
  const isThere = async () => {
    const now = await trees.write();
    return "tree" in now && now.tree === wanted;
  };
  if (await isThere()) return true;
  await trees.moveBack(commit);
  return isThere();
}

const MOST_NAMED = 5;
