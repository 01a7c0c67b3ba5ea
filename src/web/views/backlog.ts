import type { OpenIssue } from "../../compose/backlog-standing.ts";
import type { BacklogItems, StandingTask } from "../../compose/status.ts";
import type { BacklogItem, BacklogView, TaskRow } from "../../model/dashboard.ts";
import type { TaskId } from "../../model/task.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";

export interface BacklogParts {
  queue: BacklogItems;
  standing: readonly StandingTask[];
  /** In the order in which they are worked on. */
  open: readonly OpenIssue[];
  rows: ReadonlyMap<TaskId, TaskRow>;
}

/** The open issues first, in their order, then those that were begun and are closed. */
export function backlogView(parts: BacklogParts, texts: Texts): BacklogView {
  const open = parts.open.map(({ issue }) => issue);
  const others = [...parts.queue.keys()].filter((issue) => !open.includes(issue)).sort((left, right) => right - left);
  return { items: [...open, ...others].map((issue) => itemOf(issue, parts, texts)), lanes: lanesIn(parts.standing) };
}

function itemOf(issue: number, { queue, standing, open, rows }: BacklogParts, texts: Texts): BacklogItem {
  const known = queue.get(issue);
  const listed = open.find((one) => one.issue === issue);
  const turns = known?.turns ?? [];
  const last = turns.at(-1);
  const row = last && rows.get(last.task_id);
  const now = standing.find((one) => one.issue === issue && one.doing !== "parked" && one.doing !== "queued");
  return {
    issue,
    title: listed?.title ?? known?.title ?? "",
    ...(last?.phase !== undefined && { phase: last.phase }),
    ...stateOf({ parked: known?.parked, last, now, listed }, texts),
    ...(row && { row }),
    turns: turns.map(({ task_id, agent, phase, ended }) => ({
      task_id,
      ...(agent !== undefined && { agent }),
      ...(phase !== undefined && { phase }),
      ...(ended && { outcome: ended.outcome }),
    })),
  };
}

interface Facts {
  parked: StandingTask["problem"] | undefined;
  last: { is_settled: boolean } | undefined;
  now: StandingTask | undefined;
  listed: OpenIssue | undefined;
}

function stateOf({ parked, last, now, listed }: Facts, { backlog, dashboard, language }: Texts) {
  if (now && now.doing !== "parked") return { doing: backlog.doing[now.doing] };
  if (parked !== undefined) return { doing: backlog.state.parked, problem: teller(language)(parked) };
  if (listed && listed.blocked_by.length > 0)
    return {
      doing: backlog.state.waits,
      problem: backlog.blockedBy(listed.blocked_by.map((one) => `#${one}`).join(", ")),
    };
  if (last) return { doing: last.is_settled ? backlog.state.done : backlog.doing.queued };
  return { doing: dashboard.notBegun };
}

/** Whoever merges now, then those in line, the longest waiting first. */
function lanesIn(standing: readonly StandingTask[]): BacklogView["lanes"] {
  const inLine = standing.flatMap(({ base, since, issue, doing }) =>
    base === undefined || since === undefined || issue === undefined ? [] : [{ base, since, issue, doing }],
  );
  const order = inLine.sort(
    (left, right) =>
      Number(right.doing === "merging") - Number(left.doing === "merging") || left.since.localeCompare(right.since),
  );
  const bases = [...new Set(order.map(({ base }) => base))];
  return bases.map((base) => ({ base, waiting: order.filter((one) => one.base === base).map(({ issue }) => issue) }));
}
