import type { IncomingHttpHeaders } from "node:http";

/** What GitHub keeps of the repository some-owner/some.repo. */
export interface GithubIssue {
  title: string;
  body?: string | null;
  state?: "open" | "closed";
  labels?: string[];
  created_at?: string;
  /** Makes it a pull request. */
  pull_request?: { merged: boolean; head?: string; base?: string; draft?: boolean };
}
export type StoredIssue = Required<Omit<GithubIssue, "pull_request">> & Pick<GithubIssue, "pull_request">;

export interface GithubContents {
  issues: Map<number, StoredIssue>;
  comments: Map<number, { body: string; created_at: string; user: { login: string } }[]>;
  labels: { name: string; color: string; description: string | null }[];
  releases: { tag_name: string; name: string; body: string; html_url: string }[];
  /** What people may do here, by their login; the others may read. */
  permissions: Record<string, string>;
}

export interface GithubCall {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found" } };
const PREFIX = "/repos/some-owner/some.repo";

/** As much of GitHub's REST API as a tracker uses. */
export function answerTo(github: GithubContents, call: GithubCall): Answer {
  if (!call.url.pathname.startsWith(`${PREFIX}/`)) return NOT_FOUND;
  const [collection = "", ...rest] = call.url.pathname.slice(PREFIX.length + 1).split("/");
  if (collection === "labels") return ofLabels(github, call, decodeURIComponent(rest.join("/")));
  if (collection === "releases") return ofReleases(github, call, rest);
  if (collection === "collaborators") return ofPeople(github, rest[0]);
  if (rest.length === 0) return ofCollection(github, call, collection);
  return ofNumber(github, call, [collection, ...rest]);
}

function ofNumber(github: GithubContents, call: GithubCall, [collection = "", ...rest]: readonly string[]): Answer {
  const number = Number(rest[0]);
  const issue = github.issues.get(number);
  if (!issue || (collection === "pulls" && !issue.pull_request)) return NOT_FOUND;
  if (rest[1] === "comments") return ofComments(github, call, number);
  if (rest[1] === "labels") return ofItsLabels(issue, call, decodeURIComponent(rest.slice(2).join("/")));
  if (call.method === "PATCH") {
    if (issue.pull_request?.merged && call.body.state) return invalid("Validation Failed");
    Object.assign(issue, call.body.state && { state: call.body.state }, call.body.body && { body: call.body.body });
  }
  return { status: 200, body: describe(number, issue, collection) };
}

function ofPeople({ permissions }: GithubContents, login = ""): Answer {
  return { status: 200, body: { permission: permissions[login] ?? "read" } };
}

function ofCollection(github: GithubContents, call: GithubCall, collection: string): Answer {
  if (call.method === "POST") return collection === "pulls" ? openPull(github, call) : openIssue(github, call.body);
  const { searchParams: query } = call.url;
  const labels = query.get("labels")?.toLowerCase().split(",") ?? [];
  const [owner, head] = query.get("head")?.split(":") ?? [];
  const state = query.get("state") ?? "open";
  const found = [...github.issues].filter(([, issue]) => {
    const own = issue.labels.map((label) => label.toLowerCase());
    return (
      (collection === "issues" || issue.pull_request) &&
      (state === "all" || issue.state === state) &&
      labels.every((label) => own.includes(label)) &&
      (head === undefined || (owner === "some-owner" && issue.pull_request?.head === head))
    );
  });
  found.sort(([a], [b]) => (query.get("direction") === "asc" ? a - b : b - a));
  return paged(
    call,
    found.map(([number, issue]) => describe(number, issue, collection)),
  );
}

/** Lists come in pages, with a link to the next one. */
function paged(call: GithubCall, entries: readonly unknown[]): Answer {
  const size = Math.min(100, Number(call.url.searchParams.get("per_page") ?? 30));
  const page = Number(call.url.searchParams.get("page") ?? 1);
  const next = new URL(call.url);
  next.searchParams.set("page", String(page + 1));
  const isLast = page * size >= entries.length;
  return {
    status: 200,
    body: entries.slice((page - 1) * size, page * size),
    ...(!isLast && { headers: { link: `<${next}>; rel="next", <${next}>; rel="last"` } }),
  };
}

function openIssue(github: GithubContents, { title, body, labels = [] }: Record<string, unknown>): Answer {
  const number = nextNumber(github);
  github.issues.set(number, { ...blank(), title, body, labels } as StoredIssue);
  return { status: 201, body: describe(number, github.issues.get(number) as StoredIssue, "issues") };
}

function openPull(github: GithubContents, { body: { title, body, head, base, draft } }: GithubCall): Answer {
  const isOpen = [...github.issues.values()].some(
    ({ state, pull_request }) => state === "open" && pull_request?.head === head,
  );
  if (isOpen) return invalid(`A pull request already exists for some-owner:${head}.`);
  const number = nextNumber(github);
  const pull_request = { merged: false, head, base, draft } as GithubIssue["pull_request"];
  github.issues.set(number, { ...blank(), title, body, pull_request } as StoredIssue);
  return { status: 201, body: describe(number, github.issues.get(number) as StoredIssue, "pulls") };
}

function nextNumber({ issues }: GithubContents): number {
  return Math.max(0, ...issues.keys()) + 1;
}

export function blank() {
  return { body: null, state: "open" as const, labels: [], created_at: "2026-01-23T10:00:00Z" };
}

function describe(number: number, issue: StoredIssue, collection: string): unknown {
  const { title, body, state, pull_request, created_at } = issue;
  const labels = issue.labels.map((name, id) => ({ id, name, color: "ededed" }));
  const html_url = `https://github.test/${collection}/${number}`;
  const common = { number, title, body, state, labels, created_at, html_url, user: { login: "somebody" } };
  if (collection !== "pulls") return { ...common, ...(pull_request && { pull_request: { url: "…" } }) };
  const { merged, head = "work", base = "main", draft = false } = pull_request ?? { merged: false };
  const merged_at = merged ? "2026-01-24T10:00:00Z" : null;
  return { ...common, merged, merged_at, draft, head: { ref: head }, base: { ref: base } };
}

function ofComments(github: GithubContents, call: GithubCall, number: number): Answer {
  const comments = github.comments.get(number) ?? [];
  if (call.method === "GET") return paged(call, comments);
  comments.push({ body: String(call.body.body), created_at: "2026-01-23T11:00:00Z", user: { login: "e8" } });
  github.comments.set(number, comments);
  return { status: 201, body: comments.at(-1) };
}

function ofItsLabels(issue: StoredIssue, { method, body }: GithubCall, label: string): Answer {
  if (method === "POST") issue.labels.push(...(body.labels as string[]).filter((one) => !issue.labels.includes(one)));
  const index = issue.labels.findIndex((name) => name.toLowerCase() === label.toLowerCase());
  if (method === "DELETE" && index < 0) return { status: 404, body: { message: "Label does not exist" } };
  if (method === "DELETE") issue.labels.splice(index, 1);
  return { status: 200, body: issue.labels.map((name) => ({ name })) };
}

function ofLabels({ labels }: GithubContents, call: GithubCall, name: string): Answer {
  const wanted = (name || String(call.body.name)).toLowerCase();
  const label = labels.find((one) => one.name.toLowerCase() === wanted);
  if (call.method === "GET" && name === "") return paged(call, labels);
  if (call.method === "POST") {
    if (label) return { status: 422, body: { message: "Validation Failed", errors: [{ code: "already_exists" }] } };
    labels.push({ color: "ededed", description: null, ...call.body } as (typeof labels)[number]);
    return { status: 201, body: labels.at(-1) };
  }
  if (!label) return NOT_FOUND;
  if (call.method === "PATCH") Object.assign(label, call.body);
  return { status: 200, body: label };
}

function ofReleases({ releases }: GithubContents, { method, body }: GithubCall, rest: readonly string[]): Answer {
  const tag = method === "POST" ? body.tag_name : decodeURIComponent(rest.slice(1).join("/"));
  const release = releases.find(({ tag_name }) => tag_name === tag);
  if (method === "GET") return release ? { status: 200, body: release } : NOT_FOUND;
  if (release) return { status: 422, body: { message: "Validation Failed", errors: [{ code: "already_exists" }] } };
  const { tag_name, name, body: text } = body as Record<string, string>;
  releases.push({ tag_name, name, body: text, html_url: `https://github.test/releases/${tag_name}` } as never);
  return { status: 201, body: releases.at(-1) };
}

function invalid(problem: string): Answer {
  return { status: 422, body: { message: "Validation Failed", errors: [{ message: problem }] } };
}
