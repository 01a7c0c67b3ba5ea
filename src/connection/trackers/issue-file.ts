import { Document, parseDocument } from "yaml";
import { z } from "zod";
import { issueWording } from "../../model/issue-wording.ts";
import { type Message, message } from "../../model/message.ts";
import type { TrackedItem } from "../ports/tracker.ts";

/** An issue as a file: YAML frontmatter and the body. */
export interface IssueFile {
  /** Keeps what others wrote there: order, comments, keys that we do not know. */
  frontmatter: Document;
  body: string;
}

/** Why a file is not an issue. */
export interface IssueProblem {
  problem: Message;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>(?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;

export function parseIssueFile(text: string): IssueFile | IssueProblem {
  const match = FRONTMATTER.exec(text);
  const frontmatter: Document = match ? parseDocument(match.groups?.yaml ?? "") : new Document({});
  const [error] = frontmatter.errors;
  if (error) return { problem: message("frontmatter_not_yaml", { problem: error.message.split("\n", 1)[0] ?? "" }) };
  return { frontmatter, body: match ? text.slice(match[0].length) : text };
}

export function formatIssueFile({ frontmatter, body }: IssueFile): string {
  return `---\n${frontmatter.toString()}---\n${body}`;
}

const Properties = z.object({
  state: z
    .string()
    .default("OPEN")
    .transform((state) => state.toUpperCase())
    .pipe(z.enum(["OPEN", "CLOSED", "MERGED"])),
  kind: z.enum(["issue", "pr"]).default("issue"),
  labels: z
    .array(z.coerce.string())
    .nullish()
    .transform((labels) => labels ?? []),
});

/** The item that the frontmatter describes. */
export function trackedItem(file: IssueFile, number: number): TrackedItem | IssueProblem {
  const parsed = Properties.safeParse(file.frontmatter.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return { ...parsed.data, number };
  const [issue] = parsed.error.issues;
  const problem = issue ? issueWording(issue) : "";
  return { problem: message("frontmatter_invalid", { path: issue?.path.join(".") ?? "", problem }) };
}
