import { type ProcessRow, withDescendants } from "./processes.ts";

/** Which of the processes there are now are meant. */
export type Selection = (rows: readonly ProcessRow[]) => Set<number>;

interface Signs {
  /** The process group that its number still belongs to, if it does. */
  group(): number | undefined;
  /** The processes that carry the tree's mark in their environment. */
  carrying(): ReadonlySet<number>;
}

/**
 * Remembers whom it has seen: a descendant whose parent has died can no longer be found through it. Each is known by its number
 * and the moment it was started: the number alone may be given to a stranger as soon as it is free.
 */
export function treeMembers({ group, carrying }: Signs): Selection {
  const known = new Set<string>();
  return (rows) => {
    const [number, marked] = [group(), carrying()];
    const seen = rows.filter((row) => row.group === number || marked.has(row.pid) || known.has(identityOf(row)));
    const members = withDescendants(rows, new Set(seen.map((row) => row.pid)));
    for (const row of rows) if (members.has(row.pid)) known.add(identityOf(row));
    return members;
  };
}

function identityOf({ pid, started }: ProcessRow): string {
  return `${pid} ${started}`;
}
