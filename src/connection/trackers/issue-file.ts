import { Document, parseDocument } from "yaml";
import { z } from "zod";
import { issueWording } from "../../model/issue-wording.ts";
import { type Statement, WordedError, worded } from "../../model/statement.ts";
import type { TrackedItem } from "../ports/tracker.ts";

/** An issue as a file: YAML frontmatter and the body. */
export interface IssueFile {
  /** Keeps what others wrote there: order, comments, keys we do not know. */
  frontmatter: Document;
  body: string;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>(?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;

/** Throws, with words for the user, what cannot be read. */
export function parseIssueFile(text: string): IssueFile {
  const match = FRONTMATTER.exec(text);
  const frontmatter: Document = match ? parseDocument(match.groups?.yaml ?? "") : new Document({});
  const [error] = frontmatter.errors;
  if (error) throw notYaml(error.message.split("\n", 1)[0] ?? "");
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

/** What the file says, as far as we ask. Throws, with words for the user, when it says something impossible. */
export function trackedItem(file: IssueFile, number: number): TrackedItem {
  const parsed = Properties.safeParse(file.frontmatter.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return { ...parsed.data, number };
  const [issue] = parsed.error.issues;
  throw unusable(issue?.path.join(".") ?? "", issue ? issueWording(issue) : "");
}

function notYaml(problem: string): WordedError {
  return new WordedError({
    en: `its frontmatter is not valid YAML: ${problem}`,
    ja: `フロントマターが正しい YAML ではありません: ${problem}`,
  });
}

function unusable(path: string, problem: Statement): WordedError {
  return new WordedError(
    worded(
      (say) => `its frontmatter cannot be used: ${path}: ${say(problem)}`,
      (say) => `フロントマターを使えません: ${path}: ${say(problem)}`,
    ),
  );
}
