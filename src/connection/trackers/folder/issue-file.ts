import { readFile, stat } from "node:fs/promises";
import { Document, parseDocument } from "yaml";
import { z } from "zod";
import type { PullRequest, TrackedItem } from "../../../model/issue.ts";
import { issueWording } from "../../../model/issue-wording.ts";
import { type Message, message } from "../../../model/message.ts";
import { errorCode } from "../../stores/files/faults.ts";

/** An issue or a pull request as a file: YAML frontmatter and the body. */
export interface IssueFile {
  /** Keeps what others wrote there: order, comments, keys that we do not know. */
  frontmatter: Document;
  body: string;
}

export interface StoredItem {
  file: IssueFile;
  item: TrackedItem | PullRequest;
}

/** Why a file cannot be used. */
export class IssueFileProblem extends Error {
  readonly problem: Message;

  constructor(problem: Message, options?: ErrorOptions) {
    super(problem.code, options);
    this.problem = problem;
  }
}

export async function readIssueFile(path: string, number: number): Promise<StoredItem> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw errorCode(error) === "ENOENT" ? new IssueFileProblem(message("file_missing", { path })) : error;
  });
  const file = parseIssueFile(text);
  const { created_at, ...properties } = propertiesOf(file);
  const since = created_at ?? (await stat(path)).birthtime.toISOString();
  const title = properties.title || titleIn(file.body) || `#${number}`;
  const body = file.body.replace(/^\s*\n/, "").trimEnd();
  return { file, item: { ...properties, number, title, body, created_at: since, url: path } };
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>(?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;

export function parseIssueFile(text: string): IssueFile {
  const match = FRONTMATTER.exec(text);
  const frontmatter: Document = match ? parseDocument(match.groups?.yaml ?? "") : new Document({});
  const [error] = frontmatter.errors;
  const problem = error?.message.split("\n", 1)[0] ?? "";
  if (error) throw new IssueFileProblem(message("frontmatter_not_yaml", { problem }));
  return { frontmatter, body: match ? text.slice(match[0].length) : text };
}

export function formatIssueFile({ frontmatter, body }: IssueFile): string {
  return `---\n${frontmatter.toString()}---\n${body}`;
}

/** The first line that says something, without the signs of a heading. */
function titleIn(body: string): string {
  const line = body.split(/\r?\n/).find((one) => one.trim() !== "");
  return line?.replace(/^#+\s*/, "").trim() ?? "";
}

const list = <T extends z.ZodType>(entry: T) =>
  z
    .preprocess((value) => (typeof value === "number" ? [value] : value), z.array(entry).nullish())
    .transform((entries) => entries ?? []);

const text = z.coerce
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** `3`, or `#3`, which YAML needs in quotes. */
const issueNumber = z.preprocess(
  (value) => (typeof value === "string" ? Number(value.replace(/^#/, "")) : value),
  z.int().positive(),
);

const Properties = z
  .object({
    kind: z.enum(["issue", "pr"]).default("issue"),
    state: z
      .string()
      .default("OPEN")
      .transform((state) => state.toUpperCase())
      .pipe(z.enum(["OPEN", "CLOSED", "MERGED"])),
    title: text,
    labels: list(z.coerce.string()),
    created_at: z.coerce
      .date()
      .transform((date) => date.toISOString())
      .optional(),
    author: text,
    priority: text,
    blocked_by: list(issueNumber),
    base: text,
    head: text,
    draft: z.boolean().default(false),
  })
  .transform(({ kind, head = "", draft, base = "", ...rest }) =>
    kind === "pr" ? { ...rest, kind, head, base, draft } : { ...rest, kind, ...(base && { base }) },
  );

/** What the frontmatter says. */
function propertiesOf(file: IssueFile) {
  const parsed = Properties.safeParse(file.frontmatter.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = issue ? issueWording(issue) : "";
  throw new IssueFileProblem(message("frontmatter_invalid", { path: issue?.path.join(".") ?? "", problem }));
}
