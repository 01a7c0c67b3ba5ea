import { z } from "zod";
import { fieldsAtEnd, type PullRequest, type TrackedItem } from "../../../model/issue.ts";

/** The parts of GitHub's answers that we read. */

const Label = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const Author = z
  .object({ login: z.string() })
  .nullish()
  .transform((user) => user?.login);

const Common = z.object({
  number: z.number(),
  state: z.string(),
  title: text,
  body: text,
  created_at: text,
  html_url: text,
  user: Author,
  labels: z.array(Label).default([]),
});

export const Issue = Common.extend({
  /** Present where the issue is a pull request. */
  pull_request: z.unknown().optional(),
});
type Issue = z.infer<typeof Issue>;

const Branch = z.object({ ref: z.string() });

export const Pull = Common.extend({
  head: Branch,
  base: Branch,
  draft: z.boolean().default(false),
  merged_at: z.string().nullish(),
});
type Pull = z.infer<typeof Pull>;

/** Only the pull request itself says whether it was merged. */
export const Merged = z.object({ merged: z.boolean() });

export const Comment = z.object({ body: text, created_at: text, user: Author });

export const RepositoryLabel = z.object({
  name: z.string(),
  color: text,
  description: text,
});

export const ReleaseAnswer = z.object({ tag_name: z.string(), name: text, body: text, html_url: text });

export function itemOf(issue: Issue): TrackedItem {
  return { ...common(issue), kind: issue.pull_request ? "pr" : "issue" };
}

export function pullRequestOf(pull: Pull): PullRequest {
  const { head, base, draft, merged_at } = pull;
  const item = common(pull);
  const state = merged_at ? "MERGED" : item.state;
  return { ...item, kind: "pr", state, head: head.ref, base: base.ref, draft };
}

function common({ number, state, title, body, created_at, html_url, user, labels }: z.infer<typeof Common>) {
  return {
    number,
    state: state.toUpperCase(),
    labels,
    title,
    body,
    created_at,
    url: html_url,
    ...fieldsAtEnd(body).fields, // GitHub has no other place for them
    ...(user !== undefined && { author: user }),
  };
}
