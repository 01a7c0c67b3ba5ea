import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Document, parseDocument } from "yaml";
import { z } from "zod";
import { type IssueComment, type IssueLabel, type Release, sameLabel } from "../../../model/issue.ts";
import { message } from "../../../model/message.ts";
import type { MarkedComment, ReleaseDraft } from "../../ports/tracker.ts";
import { replaceFile } from "../../stores/files/durable.ts";
import { errorCode } from "../../stores/files/faults.ts";
import { hasMarker, withMarker, withoutMarker } from "../hidden-texts.ts";
import { addFile, addNumbered, LABELS, numbersIn } from "./files.ts";
import { IssueFileProblem, parseIssueFile } from "./issue-file.ts";

/** What lies beside the issues: comments (`12.comments/1.md`), labels (`labels.yaml`), releases (`releases/v1.0.0.md`). */

export async function commentsIn(folder: string, number: number): Promise<IssueComment[]> {
  const comments = await storedComments(folder, number);
  return comments.map((comment) => ({ ...comment, body: withoutMarker(comment.body).trimEnd() }));
}

export async function addComment(folder: string, number: number, comment: MarkedComment): Promise<void> {
  const { body, marker } = comment;
  if ((await storedComments(folder, number)).some((one) => hasMarker(one.body, marker))) return;
  const created_at = new Date().toISOString();
  await addNumbered(commentsOf(folder, number), { frontmatter: { created_at }, body: withMarker(body, marker) });
}

const CommentProperties = z.object({ created_at: z.coerce.string().catch(""), author: z.coerce.string().optional() });

async function storedComments(folder: string, number: number): Promise<IssueComment[]> {
  const directory = commentsOf(folder, number);
  const numbers = await numbersIn(directory);
  const texts = await Promise.all(numbers.map((one) => readFile(join(directory, `${one}.md`), "utf8")));
  return texts.map((text) => {
    const { frontmatter, body } = parseIssueFile(text);
    return { ...CommentProperties.parse(frontmatter.toJS() ?? {}), body };
  });
}

function commentsOf(folder: string, number: number): string {
  return join(folder, `${number}.comments`);
}

const Labels = z.record(
  z.string(),
  z
    .object({ color: z.coerce.string().optional(), description: z.string().optional() })
    .nullable()
    .transform((label) => label ?? {}),
);

export async function labelsIn(folder: string): Promise<IssueLabel[]> {
  const path = labelsFile(folder);
  const parsed = Labels.safeParse((await labelsDocument(path)).toJS() ?? {});
  if (!parsed.success) throw new IssueFileProblem(message("labels_file_invalid", { path }));
  return Object.entries(parsed.data).map(([name, label]) => ({ name, ...label }) as IssueLabel);
}

export async function putLabel(folder: string, { name, ...label }: IssueLabel): Promise<void> {
  const path = labelsFile(folder);
  const present = (await labelsIn(folder)).find((one) => sameLabel(one.name) === sameLabel(name));
  const document = await labelsDocument(path);
  for (const [key, value] of Object.entries(label))
    if (present?.[key as keyof IssueLabel] !== value) document.setIn([present?.name ?? name, key], value);
  if (!present && Object.keys(label).length === 0) document.set(name, null);
  const text = document.toString();
  if (!present || text !== (await textIn(path))) await replaceFile(path, text);
}

async function labelsDocument(path: string): Promise<Document> {
  const document = parseDocument(await textIn(path));
  if (document.errors.length > 0) throw new IssueFileProblem(message("labels_file_invalid", { path }));
  return document;
}

async function textIn(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
}

function labelsFile(folder: string): string {
  return join(folder, LABELS);
}

export async function addRelease(folder: string, draft: ReleaseDraft): Promise<Release> {
  const { tag, title, body, target } = draft;
  const url = join(folder, "releases", `${encodeURIComponent(tag)}.md`);
  const created_at = new Date().toISOString();
  const isNew = await addFile(url, { frontmatter: { tag, title, target, created_at }, body });
  if (isNew) return { tag, title, body, url };
  const published = parseIssueFile(await readFile(url, "utf8"));
  const { title: published_title } = z.object({ title: z.coerce.string() }).parse(published.frontmatter.toJS());
  return { tag, title: published_title, body: published.body.trimEnd(), url };
}
