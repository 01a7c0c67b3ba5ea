import { fieldLines, type IssueComment, type IssueDraft, type TrackedItem } from "../../../model/issue.ts";
import type { IssueFilter, LabelChange, MarkedComment } from "../../ports/tracker.ts";
import { hasMarker, withMarker, withoutMarker } from "../hidden-texts.ts";
import { changedLabels } from "../labels.ts";
import { Comment, Issue, itemOf, Merged } from "./answers.ts";
import { type GithubRepository, isRefusal } from "./repository.ts";

/** One attempt at each act. Each looks before it changes something, so that it can be repeated. */

export async function listIssues(github: GithubRepository, filter: IssueFilter): Promise<TrackedItem[]> {
  const query = new URLSearchParams({ state: filter.state, sort: "created", direction: "asc" });
  if (filter.labels.length > 0) query.set("labels", filter.labels.join(","));
  const found: TrackedItem[] = [];
  for await (const page of github.pages(Issue, `/issues?${query}`)) {
    found.push(...page.map(itemOf).filter(({ kind }) => kind === "issue"));
    if (found.length >= filter.limit) break;
  }
  return found.slice(0, filter.limit);
}

export async function getItem(
  github: GithubRepository,
  kind: TrackedItem["kind"],
  number: number,
): Promise<TrackedItem> {
  const item = await github.item(number, kind);
  if (kind === "issue" || item.state === "OPEN") return item;
  const { merged } = await github.read(Merged, `/pulls/${number}`);
  return { ...item, state: merged ? "MERGED" : item.state };
}

const NEWEST = "/issues?state=all&sort=created&direction=desc&per_page=30";

/** Creates an issue. Where an answer was lost, the issue may be there: it is among those that came after the latest one. */
export function issueCreation(draft: IssueDraft): (github: GithubRepository) => Promise<TrackedItem> {
  const { title, labels } = draft;
  const body = [draft.body.trimEnd(), fieldLines(draft).join("\n")].filter(Boolean).join("\n\n");
  let latest: number | undefined;
  return async (github) => {
    const newest = (await github.read(Issue.array(), NEWEST)).map(itemOf);
    const made = newest.find((one) => one.number > (latest ?? Infinity) && one.title === title && one.body === body);
    if (made) return made;
    latest ??= newest[0]?.number ?? 0;
    return itemOf(await github.write(Issue, { method: "POST", path: "/issues", body: { title, body, labels } }));
  };
}

export async function closeItem(github: GithubRepository, kind: TrackedItem["kind"], number: number): Promise<void> {
  if ((await github.item(number, kind)).state !== "OPEN") return;
  const path = kind === "issue" ? `/issues/${number}` : `/pulls/${number}`;
  const reason = kind === "issue" ? { state_reason: "completed" } : {};
  await github.send({ method: "PATCH", path, body: { state: "closed", ...reason } });
}

export async function labelItem(github: GithubRepository, number: number, change: LabelChange): Promise<void> {
  const { added, removed } = changedLabels((await github.item(number)).labels, change);
  if (added.length > 0)
    await github.send({ method: "POST", path: `/issues/${number}/labels`, body: { labels: added } });
  for (const label of removed) await unlabel(github, number, label);
}

async function unlabel(github: GithubRepository, number: number, label: string): Promise<void> {
  try {
    await github.send({ method: "DELETE", path: `/issues/${number}/labels/${encodeURIComponent(label)}` });
  } catch (error) {
    if (!isRefusal(error, 404)) throw error; // removed by another user or program in the meantime
  }
}

export async function commentsOf(github: GithubRepository, number: number): Promise<IssueComment[]> {
  const comments = await github.all(Comment, `/issues/${number}/comments`);
  return comments.map(({ body, created_at, user }) => ({
    created_at,
    body: withoutMarker(body),
    ...(user !== undefined && { author: user }),
  }));
}

export async function addComment(github: GithubRepository, number: number, comment: MarkedComment): Promise<void> {
  for await (const page of github.pages(Comment, `/issues/${number}/comments`))
    if (page.some(({ body }) => hasMarker(body, comment.marker))) return;
  const body = withMarker(comment.body, comment.marker);
  await github.send({ method: "POST", path: `/issues/${number}/comments`, body: { body } });
}
