import { Document, parseDocument } from "yaml";
import { z } from "zod";
import { issueWording } from "../../model/issue-wording.ts";
import { WordedError, type Wording, worded } from "../../model/wording.ts";
import type { TrackedItem } from "../ports.ts";

/** An issue as a file: YAML frontmatter, the body, and the comments under their own heading. */
export interface IssueFile {
  /** Keeps what others wrote there: order, comments, keys we do not know. */
  frontmatter: Document;
  body: string;
  /** From their heading on; empty where there are none. */
  comments: string;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>(?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
/** Unlike a heading, no body has this by chance. */
const COMMENTS = "<!-- comments -->";

/** Throws, with words for the user, what cannot be read. */
export function parseIssueFile(text: string): IssueFile {
  const match = FRONTMATTER.exec(text);
  const frontmatter: Document = match ? parseDocument(match.groups?.yaml ?? "") : new Document({});
  const [error] = frontmatter.errors;
  if (error) throw notYaml(error.message.split("\n", 1)[0] ?? "");
  const rest = match ? text.slice(match[0].length) : text;
  const start = rest.indexOf(COMMENTS);
  return start < 0
    ? { frontmatter, body: rest, comments: "" }
    : { frontmatter, body: rest.slice(0, start), comments: rest.slice(start) };
}

export function formatIssueFile({ frontmatter, body, comments }: IssueFile): string {
  const parts = comments === "" ? body : `${body.trimEnd()}\n\n${comments}`;
  return `---\n${frontmatter.toString()}---\n${parts}`;
}

const Properties = z.object({
  title: z.coerce.string().default(""),
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

/** What the file says. Throws, with words for the user, when it says something impossible. */
export function trackedItem(file: IssueFile, number: number): TrackedItem {
  const parsed = Properties.safeParse(file.frontmatter.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return { ...parsed.data, number, body: file.body.trim() };
  const [issue] = parsed.error.issues;
  throw unusable(issue?.path.join(".") ?? "", issue ? issueWording(issue) : "");
}

function notYaml(problem: string): WordedError {
  return new WordedError({
    en: `its frontmatter is not valid YAML: ${problem}`,
    ja: `フロントマターが正しい YAML ではありません: ${problem}`,
  });
}

function unusable(path: string, problem: Wording): WordedError {
  return new WordedError(
    worded(
      (say) => `its frontmatter cannot be used: ${path}: ${say(problem)}`,
      (say) => `フロントマターを使えません: ${path}: ${say(problem)}`,
    ),
  );
}

/** The file with one more comment; the same file when its last comment says just that. */
export function withComment(file: IssueFile, text: string, now: Date): IssueFile {
  const entry = `\n\n${text.trim()}\n`;
  const before = file.comments.endsWith(entry) ? file.comments.slice(0, -entry.length) : "";
  if (/\n### \S+$/.test(before)) return file;
  const sofar = file.comments === "" ? `${COMMENTS}\n## Comments` : file.comments.trimEnd();
  return { ...file, comments: `${sofar}\n\n### ${now.toISOString()}${entry}` };
}
